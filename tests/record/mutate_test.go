//go:build evidence

package record_test

import (
	_ "embed"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

//go:embed testdata/mutate.js
var mutateJS string

// kind is a kind of change, by the name that mutate.js knows.
type kind struct{ name, what string }

// kinds are the changes of a page. After the last ones a replay has to stop.
var kinds = []kind{
	{"classes", "all classes have other names"},
	{"ids", "all ids have other names, some test ids too"},
	{"order", "the children of six containers in ten stand in another order"},
	{"wrappers", "half of the controls stand in another `div` or `span`"},
	{"texts", "half of the labels, buttons, links and headings say it a little differently"},
	{"all", "all of these at once"},
	{"words", "half of the labels, buttons, links and headings have words that nobody knows"},
	{"swapped", "controls of a kind have each other's ids"},
	{"gone", "three controls in ten are gone"},
	{"copies", "four controls in ten have a copy beside them; either may have the id of a button or a link"},
}

// flows are what is recorded on the sample site.
var flows = map[string][][]any{
	"form": {{"nav", "/form"}, {"fill", "#name", "Ada Thorsen"}, {"fill", "#email", "ada@mail.example"},
		{"sel", "#country", "no"}, {"check", "#terms"}, {"fill", "#message", "Hello"}, {"click", "#submit"}},
	"targets": {{"nav", "/form"}, {"click", "#count"}, {"click", "#plain"}, {"click", "#uncover"},
		{"click", "#covered"}, {"click", "#reset"}},
	"login": {{"nav", "/login"}, {"fill", "#email", "ada@mail.example"}, {"fill", "#password", "secret"},
		{"click", "form.card button"}, {"click", "header a"}},
	"shop": {{"nav", "/shop"}, {"fill", "#q", "lantern"}, {"click", "#filters button"},
		{"click", ".product:nth-child(2) h3 a"}, {"click", "form button"}},
	"checkout": {{"nav", "/checkout"}, {"fill", "#email", "ada@mail.example"}, {"fill", "#name", "Ada"},
		{"sel", "#country", "Norway"}, {"check", "#terms"}, {"click", "#place-order"}},
}

// changing serves a site whose pages are changed as the first label of the host says
// (KIND-SEED-…), and keeps which elements were hit, by host.
type changing struct {
	addr   string
	script string // that changes a page
	// timeout is that of each request of a replay, in seconds.
	timeout int
	mu      sync.Mutex
	hits    map[string][]string
}

func changed(t *testing.T, site, script string) *changing {
	t.Helper()
	to, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	c := &changing{script: script, timeout: 8, hits: map[string][]string{}}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: c.inject,
		ErrorLog:       log.New(io.Discard, "", 0), // of pages that are closed
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.hit" {
			proxy.ServeHTTP(w, r)
			return
		}
		text, _ := io.ReadAll(r.Body)
		host, hit := label(r.Host), string(text)
		c.mu.Lock()
		defer c.mu.Unlock()
		if list := c.hits[host]; len(list) == 0 || list[len(list)-1] != hit {
			c.hits[host] = append(list, hit)
		}
	}))
	t.Cleanup(s.Close)
	c.addr = strings.TrimPrefix(s.URL, "http://127.0.0.1")
	return c
}

// hit are the elements that were hit on a host's pages.
func (c *changing) hit(host string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits[host]
}

func label(host string) string {
	first, _, _ := strings.Cut(host, ".")
	return first
}

// inject puts the script before the page's own ones.
func (c *changing) inject(r *http.Response) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	page, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	parts := strings.Split(label(r.Request.Host), "-")
	script := fmt.Sprintf("<script>%s(%q, %q)</script>", c.script, parts[0], parts[1])
	page = []byte(strings.Replace(string(page), "<head>", "<head>"+script, 1))
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(page))), int64(len(page))
	r.Header.Set("Content-Length", strconv.Itoa(len(page)))
	r.Header.Del("Content-Security-Policy")
	return nil
}

// logs writes the logs of a flow on pages that are as they were: with the selectors of
// the list, and with those that Playwright's generator writes, which the recorder uses.
func (c *changing) logs(t *testing.T, name string) map[string]string {
	t.Helper()
	dir, logs := t.TempDir(), map[string]string{}
	for _, form := range []string{"css", "role"} {
		p := pipetest.Start(t)
		host := "none-0-" + name + form
		file := filepath.Join(dir, name+form)
		p.Call("log-start", []any{file})
		for _, step := range flows[name] {
			params := slices.Clone(step[1:])
			if step[0] == "nav" {
				params[0] = "http://" + host + ".localhost" + c.addr + step[1].(string)
			} else if form == "role" {
				params[0] = p.Text("locator", params[:1])
			}
			p.Call(step[0].(string), params, "timeout", 8)
		}
		p.Call("log-stop", nil)
		p.Close()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, `"method":"locator"`) {
				lines = append(lines, strings.ReplaceAll(line, "none-0-", "HOST-"))
			}
		}
		logs[name+form] = strings.Join(lines, "")
		if hits := c.hit(host); len(hits) < len(flows[name])-1 {
			t.Fatalf("%s hit only %q", host, hits)
		}
	}
	return logs
}

// outcome counts how replays ended.
type outcome struct{ runs, passed, wrong, stopped int }

func (o *outcome) add(more outcome) {
	o.runs += more.runs
	o.passed += more.passed
	o.wrong += more.wrong
	o.stopped += more.stopped
}

// replay runs the logs on pages that are changed, and counts how it went.
func (c *changing) replay(t *testing.T, logs map[string]string, kind string, seeds int, repair bool) (o outcome) {
	t.Helper()
	dir := t.TempDir()
	args, hosts := []string{"run", "--timeout", fmt.Sprint(c.timeout)}, map[string]string{}
	how := "plain"
	if repair {
		how, args = "repair", append(args, "--repair")
	}
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		for seed := range seeds {
			host := fmt.Sprintf("%s-%d-%s-", kind, seed, how)
			file := filepath.Join(dir, host+name)
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(logs[name], "HOST-", host)), 0o600); err != nil {
				t.Fatal(err)
			}
			args, hosts[file] = append(args, file), name
		}
	}
	out, errs, _ := pipetest.Run(t, "", args...)
	parts := reFile.Split(out, -1)
	files := reFile.FindAllString(out, -1)
	if len(files) != len(hosts) {
		t.Fatalf("%d files ran, of %d: %s%s", len(files), len(hosts), out, errs)
	}
	for i, file := range files {
		want, got := c.hit("none-0-"+hosts[file]), c.hit(filepath.Base(file))
		failed := strings.Contains(parts[i+1], "FAIL")
		o.runs++
		switch {
		case len(got) > len(want) || !slices.Equal(got, want[:len(got)]):
			o.wrong++
			if repair {
				t.Errorf("%s: hits\n%s\ninstead of\n%s\n%s", filepath.Base(file),
					strings.Join(got, "\n"), strings.Join(want, "\n"), parts[i+1])
			}
		case failed:
			o.stopped++
			if repair {
				t.Logf("%s: %s", filepath.Base(file), parts[i+1])
			}
		case len(got) < len(want):
			t.Errorf("%s passed, and hits only\n%s\n%s", filepath.Base(file), strings.Join(got, "\n"), parts[i+1])
		default:
			o.passed++
		}
	}
	return o
}

var reFile = regexp.MustCompile(`(?m)^/\S+$`)

// TestChangedPages: recorded flows run on pages that are changed as a site's next version
// might be. A replay with repair never takes another element than the recorded one.
// PWPIPE_TEST_REPAIR=1 runs all flows, and -update then writes the table of docs/shell.md.
func TestChangedPages(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	names, kinds, seeds := []string{"login"}, kinds, 1
	all := os.Getenv("PWPIPE_TEST_REPAIR") != ""
	if all {
		names, seeds = slices.Sorted(maps.Keys(flows)), 2
	} else {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool {
			return !slices.Contains([]string{"ids", "swapped", "copies"}, k.name)
		})
	}
	c := changed(t, pipetest.Site(t), mutateJS)
	var mu sync.Mutex
	plain, repaired := make([]outcome, len(kinds)), make([]outcome, len(kinds))
	t.Run("flows", func(t *testing.T) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				logs := c.logs(t, name)
				for i, kind := range kinds {
					without, with := c.replay(t, logs, kind.name, seeds, false), c.replay(t, logs, kind.name, seeds, true)
					mu.Lock()
					plain[i].add(without)
					repaired[i].add(with)
					mu.Unlock()
				}
			})
		}
	})
	var table strings.Builder
	table.WriteString(tableHead)
	for i, kind := range kinds {
		if r := repaired[i]; kind.name == "ids" && r.passed < r.runs {
			t.Errorf("other ids: only %d of %d replays passed", r.passed, r.runs)
		}
		table.WriteString(row(kind.what, plain[i], repaired[i]))
	}
	t.Logf("\n%s", &table)
	if !all || !pipetest.Update() || t.Failed() {
		return
	}
	pipetest.GoldenSection(t, "../../docs/shell.md", "repair", "\n"+table.String())
}
