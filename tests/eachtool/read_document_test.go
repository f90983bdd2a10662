package eachtool_test

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
	pipetest.InCI(t, "it is about a corner, and TestRequests is quick")
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
	p.Call("click", list("#popup"))
	p.Call("reload", nil)
	if d := pipetest.Decode[answer](t, p.Call("response", nil)); d.Status != 404 || len(d.Redirects) != 0 {
		t.Errorf("what showed no document led nowhere: %+v", d)
	}
	p.Call("nav", list("data:text/html,<p>x"))
	if got := p.Fail("response", nil); !strings.Contains(got, "reload requests it again") {
		t.Error(got)
	}
	p.Call("wait", list("#popup"), "page", "p2")
	if d := pipetest.Decode[answer](t, p.Call("response", nil, "page", "p2")); !end(d) || len(d.Redirects) != 1 {
		t.Errorf("of a pop-up: %+v", d)
	}
}
