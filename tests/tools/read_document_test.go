package tools_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// answers is a server with redirects, headers and statuses.
func answers(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/end", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Lamp", "lit")
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte(`<title>End</title><iframe src="/inner"></iframe><a id=popup target=_blank href="/two">two</a>`))
	})
	mux.Handle("/one", http.RedirectHandler("/two", http.StatusMovedPermanently))
	mux.Handle("/two", http.RedirectHandler("/end", http.StatusFound))
	mux.HandleFunc("/inner", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// TestResponseOfTheDocument: response shows what nav does not return, however
// the page got its document.
func TestResponseOfTheDocument(t *testing.T) {
	t.Parallel()
	url := answers(t)
	p := pipetest.Shared(t)
	type answer struct {
		URL       string
		Status    int
		Headers   map[string]string
		Redirects []struct {
			URL, Location string
			Status        int
		}
	}
	end := func(d answer) bool {
		return d.URL == url+"/end" && d.Status == 418 && d.Headers["x-lamp"] == "lit" && d.Headers["set-cookie"] == "a=1"
	}
	pipetest.Steps(p,
		does("response", nil, "!no response is known for the document of p1 (about:blank)"),
		does("nav", list(url+"/one"), "null"),
	)
	d := pipetest.Decode[answer](t, p.Call("response", nil))
	if !end(d) || len(d.Redirects) != 2 || d.Redirects[0].URL != url+"/one" || d.Redirects[0].Status != 301 || d.Redirects[0].Location != "/two" || d.Redirects[1].Status != 302 {
		t.Errorf("after two redirects: %+v", d)
	}
	// A new URL for the same document, and a navigation that shows no document.
	pipetest.Steps(p,
		does("eval", list("history.pushState(null, '', '/elsewhere?x#y'); 1"), "1"),
		does("eval", list("{ location.href = '/nothing' }"), ""),
		does("wait-response", pipetest.Object{"url": "/nothing", "status": "failed"}, ""),
	)
	if d := pipetest.Decode[answer](t, p.Call("response", nil)); !end(d) {
		t.Errorf("the document is the same: %+v", d)
	}
	pipetest.Steps(p,
		does("click", list("#popup"), "null"),
		does("reload", nil, ""),
		does("response", nil, `~"status":404`),
		does("nav", list("data:text/html,<p>x"), ""),
	)
	if got := p.Fail("response", nil); !strings.Contains(got, "reload requests it again") {
		t.Error(got)
	}
	p.Call("wait", list("#popup"), "page", "p2")
	if d := pipetest.Decode[answer](t, p.Call("response", nil, "page", "p2")); !end(d) || len(d.Redirects) != 1 {
		t.Errorf("of a pop-up: %+v", d)
	}
}

// TestWaitForStates: wait takes states, and a number is not a selector.
func TestWaitForStates(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.InCI(t, "it is long, and TestReading is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": `<p id=here>here</p><p id=hidden style="display:none">hidden</p>`})
	short := func(sel, state string) pipetest.Object {
		return pipetest.Object{"sel": sel, "state": state, "timeout": 0.5}
	}
	later := func(code string) pipetest.Step {
		return does("eval", list("setTimeout(() => { "+code+" }, 100); 1"), "1")
	}
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("wait", list("#hidden", "attached"), "null"),
		does("wait", list("#hidden", "hidden"), "null"),
		does("wait", list("#none", "detached"), "null"),
		does("wait", short("#hidden", "visible"), `!"#hidden" is not visible after 0.5 s`),
		does("eval", list("document.body.insertAdjacentHTML('beforeend', '<b class=two hidden>A</b><b class=two>B</b>')"), "null"),
		does("wait", short(".two", "visible"), `!".two" is not visible after 0.5 s on p1 (`),
		does("wait", short(".two", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short(".two >> nth=0", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short(".two >> nth=-2", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short("#here", "hidden"), `!"#here" is still visible after 0.5 s on p1`),
		does("wait", short("#hidden", "detached"), `!"#hidden" is still there after 0.5 s on p1`),
		does("wait", short("#none", "attached"), `!nothing matches "#none" after 0.5 s`),
		does("wait", list("#here", "gone"), "!state: expected one of visible, hidden, attached, detached"),
		later("here.style.display = 'none'"),
		does("wait", list("#here", "hidden"), "null"),
		later("here.remove()"),
		does("wait", list("#here", "detached"), "null"),
		does("wait", list("500"), `!"500" is a time, not a selector; page.waitFor ["idleFor", 500] pauses`),
		does("wait", list(500), `!sel: expected a string, got a number; page.waitFor idleFor with milliseconds is what pauses`),
		does("page.waitFor", list("idleFor", 5), `{"state":"idleFor"}`),
	)
}
