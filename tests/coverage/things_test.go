//go:build evidence

package coverage

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// step is something to find or to do.
type step struct{ verb, words, value string }

// thing is a page, and what an agent finds and does there.
type thing struct {
	name, html string
	steps      []step
}

const file = "testdata/things.txtar"

var reSteps = regexp.MustCompile(`(?s)^<!--\n(.+?)\n-->\n`)

// things are the pages, in the file's order.
func things(t *testing.T) (list []thing) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		m := reSteps.FindStringSubmatch(string(f.Data))
		if m == nil {
			t.Fatalf("%s: %s has no steps", file, f.Name)
		}
		k := thing{name: f.Name, html: strings.TrimPrefix(string(f.Data), m[0])}
		for line := range strings.Lines(m[1]) {
			verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			words, value, _ := strings.Cut(rest, " | ")
			k.steps = append(k.steps, step{verb, words, value})
		}
		list = append(list, k)
	}
	return list
}

// head begins each page. Frames of other sites say what was done by a message.
const head = `<!doctype html><meta charset=utf-8><title>begun</title><script>window.done = () => { document.title = 'done' }</script>
`

const frame = `<!doctype html><title>Quay</title><p>moored since Monday</p><button onclick="parent.postMessage('cast off', '*')">Cast off</button>`

// serve serves the pages on loopback, each by its name.
func serve(t *testing.T, list []thing) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/frame", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(frame))
	})
	for _, k := range list {
		mux.HandleFunc(k.path(), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			other := "http://" + strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
			_, _ = w.Write([]byte(head + strings.ReplaceAll(k.html, "OTHER", other)))
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func (k thing) path() string {
	return "/" + regexp.MustCompile(`\W+`).ReplaceAllString(k.name, "-")
}
