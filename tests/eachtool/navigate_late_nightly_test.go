//go:build evidence

package eachtool_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLateServerNamed: a browser launched by name is not lost either.
func TestLateServerNamed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript nav is quick")
	t.Parallel()
	at, _ := lateServer(t)
	p := pipetest.Start(t)
	type reply struct {
		Success bool
		Stderr  string
	}
	for _, step := range []struct {
		params pipetest.Object
		ok     bool
	}{
		{pipetest.Object{"action": "launch"}, true},
		{pipetest.Object{"action": "navigate", "url": at + "/"}, true},
		{pipetest.Object{"action": "navigate", "url": at + "/late", "timeout": 1}, false},
		{pipetest.Object{"action": "navigate", "url": at + "/"}, true},
		{pipetest.Object{"action": "screenshot"}, true},
	} {
		if r := pipetest.Get[reply](p, "playwright_browser", step.params); r.Success != step.ok {
			t.Errorf("%v: success %v: %s", step.params, r.Success, r.Stderr)
		}
	}
}

// TestLateServer: a late server costs no page. The old document stays with its
// site's storage, and the late document still arrives.
func TestLateServer(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript nav is quick")
	t.Parallel()
	at, answer := lateServer(t)
	p := pipetest.Shared(t)
	p.Call("nav", pipetest.List(at+"/"))
	kept := func() {
		t.Helper()
		if got := p.Text("eval", pipetest.List("document.title + sessionStorage.kept")); got != "hereyes" {
			t.Errorf("the page holds %q", got)
		}
	}

	// No answer: a call that needs the document ends the wait.
	p.Complains("did not end within 1 s", "nav", pipetest.List(at+"/late"), "timeout", 1)
	p.Complains("", "eval", pipetest.List("1"), "timeout", 1)
	kept()
	p.Complains("did not end within 1 s", "nav", pipetest.List(at+"/late"), "timeout", 1)
	p.Call("nav", pipetest.List(at+"/"))
	kept()

	// The answer comes after the deadline.
	p.Complains("the server has not answered yet", "nav", pipetest.List(at+"/late"), "timeout", 1)
	answer()
	p.Call("page.waitFor", pipetest.Object{"state": "networkidle"})
	if got := p.Text("title", nil); got != "late" {
		t.Errorf("after networkidle the page is %q", got)
	}
	if got := p.Text("eval", pipetest.List("sessionStorage.kept")); got != "yes" {
		t.Errorf("sessionStorage holds %q", got)
	}
}

// lateServer serves a page at once, and another after answer is called.
func lateServer(t *testing.T) (at string, answer func()) {
	may, answer := context.WithCancel(t.Context())
	page := func(w http.ResponseWriter, title, script string) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>" + title + "</title><h1>" + title + "</h1><script>" + script + "</script>"))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { page(w, "here", "sessionStorage.kept = 'yes'") })
	mux.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-may.Done():
			page(w, "late", "")
		case <-r.Context().Done():
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { answer(); s.Close() })
	return s.URL, answer
}
