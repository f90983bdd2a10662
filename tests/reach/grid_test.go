package reach

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// hub is the hub of a Selenium Grid: the one at PWPIPE_TEST_GRID, which nobody else
// uses meanwhile, or one that speaks the part of WebDriver needed here, with the
// pinned Chromium as its browsers.
type hub struct {
	t    *testing.T
	addr string
	mu   sync.Mutex
	all  map[string]*chrome
	ask  []string // the requested capabilities
}

func newHub(t *testing.T) *hub {
	h := &hub{t: t, addr: os.Getenv("PWPIPE_TEST_GRID"), all: map[string]*chrome{}}
	if h.addr == "" {
		installed(t)
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		h.addr = s.URL
	}
	return h
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	part := strings.Split(strings.TrimPrefix(r.URL.Path, "/session"), "/")
	id := ""
	if len(part) > 1 {
		id = part[1]
	}
	h.mu.Lock()
	c := h.all[id]
	h.mu.Unlock()
	say := func(status int, value any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"value": value})
	}
	switch {
	case r.URL.Path == "/status":
		h.mu.Lock()
		defer h.mu.Unlock()
		var list []pipetest.Object
		for id := range h.all {
			list = append(list, pipetest.Object{"sessionId": id})
		}
		say(200, pipetest.Object{"ready": true, "sessions": list})
	case r.Method == "POST" && id == "":
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "firefox") {
			say(500, pipetest.Object{"error": "session not created", "message": "Could not start a new session.\nmore"})
			return
		}
		c := startChrome(h.t, "0")
		h.mu.Lock()
		id = fmt.Sprint("s", len(h.ask))
		h.ask, h.all[id] = append(h.ask, string(body)), c
		h.mu.Unlock()
		say(200, pipetest.Object{"sessionId": id, "capabilities": pipetest.Object{"se:cdp": "ws://inside.example/session/" + id + "/se/cdp"}})
	case c == nil:
		say(404, pipetest.Object{"error": "invalid session id", "message": "Cannot find session with id: " + id})
	case r.Method == "DELETE":
		h.mu.Lock()
		delete(h.all, id)
		h.mu.Unlock()
		c.kill()
		say(200, nil)
	case strings.HasSuffix(r.URL.Path, "/se/cdp"):
		var v struct{ WebSocketDebuggerURL string }
		_ = json.Unmarshal(c.ask("GET", "/json/version"), &v)
		at, _ := url.Parse(v.WebSocketDebuggerURL)
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.Path, p.Out.Host = "http", at.Host, at.Path, at.Host
		}}).ServeHTTP(w, r)
	default:
		say(200, nil)
	}
}

// sessions are the ids of the existing sessions.
func (h *hub) sessions() (list []string) {
	h.t.Helper()
	r, err := http.Get(h.addr + "/status")
	if err != nil {
		h.t.Fatal(err)
	}
	defer r.Body.Close()
	var all any
	if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
		h.t.Fatal(err)
	}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if id, ok := v["sessionId"].(string); ok {
				list = append(list, id)
			}
			for _, of := range v {
				look(of)
			}
		case []any:
			for _, of := range v {
				look(of)
			}
		}
	}
	look(all)
	return list
}

// wait waits for this number of sessions.
func (h *hub) wait(n int) {
	h.t.Helper()
	pipetest.Eventually(h.t, fmt.Sprint(n, " sessions of the grid"), func() bool { return len(h.sessions()) == n })
}

// lost is the error of a request that ran when the grid ended a browser, or of the
// first request after it.
var lost = regexp.MustCompile(` (while the request ran; the next request gets a fresh browser` +
	`|since the last request, and the session's pages with it; the next request gets a fresh page)$`)

// TestGrid: browsers of a Selenium Grid start when needed and end when not, however their
// pwpipe ended. Tools, scripts and clients work on them.
func TestGrid(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of internal/browser/grid are quick")
	h := newHub(t)
	site := pipetest.Site(t)
	p := pipetest.Start(t, "--grid", h.addr, "--base-url", site, "--grid-capabilities", `{"goog:chromeOptions":{"args":["--lang=de"]}}`)
	p.Call("nav", []any{"/form"}, "timeout", 60)
	if got := p.Text("title", nil); got != "Form | Skerry" {
		t.Error(got)
	}
	if got := pipetest.Execute(p, "return [await page.title(), context.pages().length]"); got != `["Form | Skerry",1]` {
		t.Error(got)
	}
	h.wait(1)
	if len(h.ask) > 0 {
		pipetest.Has(t, h.ask[0], `"browserName":"chrome"`, `"--headless=new","--lang=de"`, `"se:name":"pwpipe"`)
	}
	// A browser that the grid ends is reported, and the next call gets another.
	if err := remove(h.addr + "/session/" + h.sessions()[0]); err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "another browser", func() bool {
		r := p.Try("nav", []any{"/login"}, "timeout", 60)
		if r.Error != "" && !lost.MatchString(r.Error) {
			t.Error(r.Error)
		}
		return r.Error == ""
	})
	h.wait(1)
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	h.wait(0)
}

func remove(at string) error {
	r, err := http.NewRequest("DELETE", at, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// TestGridAnswersTooLate: a session that the hub starts after the driver has died
// is ended, not kept.
func TestGridAnswersTooLate(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of internal/browser/grid are quick")
	asked, answer, ended := make(chan bool, 10), make(chan bool), make(chan bool, 10)
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case "POST":
			asked <- true
			<-answer
			fmt.Fprint(w, `{"value":{"sessionId":"1","capabilities":{"se:cdp":"ws://inside.example/"}}}`)
		case "DELETE":
			ended <- true
			fallthrough
		default:
			fmt.Fprint(w, `{"value":null}`)
		}
	}))
	t.Cleanup(hub.Close)
	p := pipetest.Start(t, "--grid", hub.URL)
	p.Request("nav", []any{"about:blank"}, "timeout", 60)
	<-asked
	pid := 0
	pipetest.Eventually(t, "the driver has started", func() bool {
		for one, command := range pipetest.Descendants(t, p.Cmd.Process.Pid) {
			if strings.Contains(command, "run-driver") {
				pid = one
			}
		}
		return pid != 0
	})
	driver, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Kill(); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, p.Reply().Error, "the Playwright driver ended while the browser was starting")
	close(answer)
	select {
	case <-ended:
	case <-time.After(pipetest.Patience):
		t.Error("the session is kept")
	}
}

// TestGridThatIsNone: errors for a missing browser, and for a URL that is no grid.
func TestGridThatIsNone(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of internal/browser/grid are quick")
	h := newHub(t)
	if os.Getenv("PWPIPE_TEST_GRID") == "" { // a real grid makes the caller wait for a matching node
		p := pipetest.Start(t, "--grid", h.addr, "--grid-capabilities", `{"browserName":"firefox"}`)
		pipetest.Has(t, p.Fail("nav", []any{"about:blank"}), "no browser of the grid at "+h.addr+": session not created: Could not start a new session.")
	}
	p := pipetest.Start(t, "--grid", pipetest.Site(t))
	pipetest.Has(t, p.Fail("nav", []any{"about:blank"}), "no grid answers there")
	p = pipetest.Start(t, "--grid", "http://127.0.0.1:1")
	said := p.Fail("nav", []any{"about:blank"})
	pipetest.Has(t, said, "no browser of the grid at http://127.0.0.1:1: nothing listens there")
	pipetest.Lacks(t, said, "start Chrome")
	for args, want := range map[string]string{
		"--grid=localhost:4444":                     "expected http://host:4444",
		"--grid=http://a:b@h:1":                     "a password is not supported",
		"--grid=http://h:1 --cdp=9222":              "give one of --grid, --cdp and --ws",
		"--grid=http://h:1 --browser=firefox":       "for a grid use --grid-capabilities",
		"--grid-capabilities={}":                    "--grid-capabilities needs --grid",
		"--grid=http://h:1/?a=b":                    "expected http://host:4444",
		"--grid=http://h:1 --grid-capabilities=[1]": "expected a JSON object",
		`--grid=http://h:1 --grid-capabilities={"goog:chromeOptions":{"args":"x"}}`: "args: expected a list",
		"--grid=http://h:1 --grid-capabilities=@/none":                              "no such file",
	} {
		if _, stderr, status := pipetest.Run(t, "", strings.Fields(args)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}
