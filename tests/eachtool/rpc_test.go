// Package rpc_test calls page.* and session.* of `pwpipe serve` over real HTTP.
package eachtool_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type m = pipetest.Object

// The five acceptance criteria of the service's specification, section 11. Short ones run one after
// another, on one service.

func TestRendersJSPages(t *testing.T) {
	s := pipetest.SharedService(t).Open(m{"headless": true, "viewport": m{"width": 640, "height": 480}, "userAgent": "keeper/1"})
	var at struct{ URL, Title string }
	s.On("page.goto", m{"url": s.Site + "/projects", "waitUntil": "networkidle"}, &at)
	if at.URL != s.Site+"/projects" || !strings.HasPrefix(at.Title, "Projects") {
		t.Errorf("page.goto answered %+v", at)
	}
	var got struct{ Text string }
	s.On("page.text", m{"selector": "main"}, &got)
	if !strings.Contains(got.Text, "Lamp room restoration") || !strings.Contains(got.Text, "6 projects") {
		t.Errorf("no project in %q", got.Text)
	}
	whole := got.Text
	if s.On("page.text", m{"selector": "main", "maxChars": 5}, &got); got.Text != whole[:5] {
		t.Errorf("clamped text: %q", got.Text)
	}
	pipetest.Has(t, s.On("page.text", m{"selector": "#gone", "timeout": 3000}), `"fallback":`, "#gone", "6 projects")
	const own = "[navigator.userAgent, innerWidth, innerHeight]"
	pipetest.Has(t, s.On("page.evaluate", m{"expression": own}), `["keeper/1",640,480]`)
	pipetest.Has(t, s.On("screenshot", m{"mime": "image/jpeg", "fullPage": true}), `"image/jpeg"`, `"/9j/`)
}

func TestInteractivityWorks(t *testing.T) {
	s := pipetest.SharedService(t).Open(nil)
	s.On("page.goto", m{"url": "/projects"})
	var text struct{ Text string }
	s.On("page.text", nil, &text)
	if strings.Contains(text.Text, "You are typing") {
		t.Fatal("the form shows already")
	}
	var found struct {
		Selector string
		Count    int
	}
	s.On("find.byRole", m{"role": "button", "name": "new PROJECT"}, &found)
	s.On("page.click", m{"selector": found.Selector})
	s.On("page.fill", m{"selector": "#project", "value": "Fog bell"})
	s.On("page.text", m{"selector": "main"}, &text)
	if !strings.Contains(text.Text, "You are typing: Fog bell") {
		t.Errorf("the page does not show what was filled in: %q", text.Text)
	}
	s.On("page.press", m{"selector": "#project", "key": "Enter"})
	s.On("page.text", m{"selector": "#projects"}, &text)
	if !strings.Contains(text.Text, "Fog bell") {
		t.Errorf("pressing Enter added nothing: %q", text.Text)
	}
}

func TestSignalsCaptured(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of handlers/events are quick")
	t.Parallel()
	s := pipetest.SharedService(t).Open(nil)
	s.On("page.goto", m{"url": "/errors"})
	s.On("page.evaluate", m{"expression": "Promise.all([399, 400].map(code => fetch('/status/' + code))).then(() => 1)"})
	var all, stacks []string
	failed := map[string]int{}
	pipetest.Eventually(t, "a console line, two errors and a failed request", func() bool { // a pull drains
		var logs struct {
			Console    []struct{ Type, Text string }
			PageErrors []struct{ Message, Stack string }
		}
		s.On("logs.pull", nil, &logs)
		for _, c := range logs.Console {
			all = append(all, c.Type+": "+c.Text)
		}
		for _, e := range logs.PageErrors {
			stacks = append(stacks, e.Stack)
		}
		var net struct {
			Requests []struct {
				URL    string
				Status int
			}
		}
		s.On("network.pull", nil, &net)
		for _, r := range net.Requests {
			failed[r.URL] = r.Status
		}
		return len(stacks) > 1 && len(failed) > 1 && slices.Contains(all, "error: errors page: the lamp is out")
	})
	if len(stacks) != 2 || !strings.Contains(stacks[0], "errors.js") {
		t.Errorf("stacks of page errors: %q", stacks)
	}
	if len(failed) != 2 || failed[s.Site+"/api/fail"] != 500 || failed[s.Site+"/status/400"] != 400 {
		t.Errorf("network.pull: %v, want /api/fail with 500 and /status/400", failed)
	}
	if again := s.On("logs.pull", nil); again != `{"console":[],"pageErrors":[]}` {
		t.Errorf("logs.pull did not drain: %s", again)
	}
	s.On("page.reload", nil)
	requests := 0
	pipetest.Eventually(t, "all responses of the page", func() bool {
		var net struct{ Requests []json.RawMessage }
		s.On("network.pull", m{"onlyErrors": false}, &net)
		requests += len(net.Requests)
		return requests >= 4
	})
	pipetest.Eventually(t, "network.pull drains", func() bool {
		return s.On("network.pull", m{"onlyErrors": false}) == `{"requests":[]}`
	})
}

// TestSafetyEnforced is the last, since its wrong keys keep others out.
func TestSafetyEnforced(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	s := svc.Open(nil)
	for _, method := range []string{"page.goto", "nav"} {
		if msg := s.Refuse(-32003, method, m{"url": "https://example.com/"}); !strings.Contains(msg, "example.com") {
			t.Errorf("%s: the error does not say what is refused: %s", method, msg)
		}
	}
	if msg := s.Refuse(-32003, "page.goto", m{"url": "file:///etc/passwd"}); !strings.Contains(msg, "allow") {
		t.Error(msg)
	}
	// The page itself can't reach other hosts either.
	s.On("page.goto", m{"url": "/"})
	var got struct{ Result string }
	s.On("page.evaluate", m{"expression": `fetch("http://127.0.0.2:9/").then(() => "reached", e => e.message)`}, &got)
	if got.Result != "Failed to fetch" {
		t.Errorf("a page's own request to another host: %q", got.Result)
	}
	if !strings.Contains(s.On("network.pull", nil), "ERR_BLOCKED_BY_CLIENT") {
		t.Error("the refused request is not in the network's log as blocked")
	}
	for _, header := range []string{"X-Api-Key: ", "X-Api-Key: wrong", "Authorization: Bearer wrong"} {
		for _, r := range []string{"POST /rpc", "GET /openrpc.json", "GET /ws", "POST /mcp", "POST /tools/title", "GET /metrics"} {
			method, path, _ := strings.Cut(r, " ")
			status, _, _ := svc.Do(method, path, "{}", "X-Api-Key: ", header)
			if status != 401 {
				t.Errorf("%s with %q: status %d, want 401", r, header, status)
			}
		}
	}
	if status, text, _ := svc.Do("GET", "/openrpc.json", "", "X-Api-Key: ", "Authorization: Bearer "+pipetest.Key); status != 200 {
		t.Errorf("the key as a bearer token: %d %s", status, text)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, text, _ := svc.Do("GET", path, "", "X-Api-Key: "); status != 200 {
			t.Errorf("%s without a key: %d %s", path, status, text)
		}
	}
}

func TestResourceHygiene(t *testing.T) {
	pipetest.InCI(t, "it is long, and counts what many calls leave")
	t.Parallel()
	asked, end := make(chan bool, 1), make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		asked <- true
		<-end
	}))
	t.Cleanup(slow.Close)
	svc := pipetest.StartService(t, "SESSION_TTL_MS=3000", "ALLOW_HOST_REGEX=.*")
	// A call longer than the TTL keeps its session. Each session is used at once: the other takes time to open.
	busy := svc.Open(nil)
	ended := make(chan string, 1)
	go func() {
		ended <- busy.Said("page.evaluate", busy.With(m{"timeout": 80000, "expression": "fetch('" + slow.URL + "').then(r => r.status)"}))
	}()
	<-asked
	idle := svc.Open(nil)
	idle.On("new-ctx", nil) // a second context must be closed too
	if n := svc.Metric("pwpipe_browser_contexts"); n != "3" {
		t.Fatalf("%s contexts, want 3", n)
	}
	pipetest.Eventually(t, "the idle one is closed", func() bool { return svc.Metric("pwpipe_sessions_open") == "1" })
	close(end)
	if got := <-ended; !strings.Contains(got, "200") {
		t.Errorf("the busy one has %s", got)
	}
	if msg := idle.Refuse(-32002, "page.text", nil); !strings.Contains(msg, "idle for 3s") {
		t.Errorf("the error does not say what became of the session: %s", msg)
	}
	busy.On("url", nil)
	pipetest.Eventually(t, "every session and context is closed", func() bool {
		return svc.Metric("pwpipe_sessions_open") == "0" && svc.Metric("pwpipe_browser_contexts") == "0"
	})
}
