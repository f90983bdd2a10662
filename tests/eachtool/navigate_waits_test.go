package eachtool_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestWhatLoadingWaitsFor: the error of a page that has not loaded names what has not come, the documents
// of frames first, and nothing that loading does not wait for. The page can be used.
func TestWhatLoadingWaitsFor(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript nav is quick")
	t.Parallel()
	stop := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		body := map[string]string{
			"/frame":      `<h1>Here</h1><iframe title=ad src=/never/ad></iframe>`,
			"/nested":     `<h1>Here</h1><iframe src=/frame></iframe>`,
			"/picture":    `<h1>Here</h1><img src=/never/picture>`,
			"/style":      `<h1>Here</h1><script>addEventListener('DOMContentLoaded', () => document.head.insertAdjacentHTML('beforeend', '<link rel=stylesheet href=/never/style>'))</script>`,
			"/script":     `<h1>Here</h1><script src=/never/script></script>`,
			"/stream":     `<h1>Here</h1>`,
			"/several":    `<h1>Here</h1><img src=/never/1><img src=/never/2><img src=/never/3><img src=/never/4><iframe src=/never/ad></iframe>`,
			"/fetch":      `<h1>Here</h1><script>fetch('/never/data')</script><img src=/never/picture>`,
			"/redirected": `<h1>Here</h1><iframe src=/away></iframe>`,
			"/busy":       `<h1>Here</h1><script>fetch('/never/data')</script>`,
		}[r.URL.Path]
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/never/ad", http.StatusFound)
			return
		}
		_, _ = w.Write([]byte(body))
		if body != "" && r.URL.Path != "/stream" {
			return
		}
		if body != "" {
			_ = http.NewResponseController(w).Flush()
		}
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(stop) })
	p := pipetest.Shared(t)
	for _, page := range pipetest.Some([]struct{ path, waits, less string }{
		{"/frame", "no answer yet from %/never/ad (a frame); ", "domcontentloaded"},
		{"/fetch", "no answer yet from %/never/picture; ", "domcontentloaded"},
		{"/nested", "no answer yet from %/never/ad (a frame); ", "domcontentloaded"},
		{"/several", "no answer yet from %/never/ad (a frame), %/never/1, %/never/2, 2 more; ", "domcontentloaded"},
		{"/picture", "no answer yet from %/never/picture; ", "domcontentloaded"},
		{"/stream", "not all of it has come from %/stream; ", "commit"},
		{"/script", "no answer yet from %/never/script; ", "commit"},
		{"/style", "no answer yet from %/never/style; ", "domcontentloaded"},
		{"/redirected", "no answer yet from %/never/ad (a frame); ", "domcontentloaded"},
	}, 5) {
		pipetest.Eventually(t, "the error of "+page.path, func() bool { // a busy machine may not have asked for all
			got := p.Fail("nav", pipetest.List(site.URL+page.path), "timeout", 2)
			return strings.Contains(got, "did not end within 2 s: "+strings.ReplaceAll(page.waits, "%", site.URL)) &&
				strings.Contains(got, `page.goto and page.reload with waitUntil "`+page.less+`" do not wait for that`)
		})
		if title := p.Text("txt", pipetest.List("h1")); title != "Here" {
			t.Errorf("%s: the page shows %q", page.path, title)
		}
		p.Call("page.goto", pipetest.Object{"url": site.URL + page.path, "waitUntil": page.less})
		p.Call("page.reload", pipetest.Object{"waitUntil": page.less})
	}
	p.Call("nav", pipetest.List(site.URL+"/busy"))
	for tool, params := range map[string]pipetest.Object{
		"page.goto":   {"url": site.URL + "/busy", "waitUntil": "networkidle"},
		"page.reload": {"waitUntil": "networkidle"}, "page.waitFor": {"state": "networkidle"},
	} {
		pipetest.Eventually(t, tool+" says that the network is busy", func() bool { // as above
			return strings.Contains(p.Fail(tool, params, "timeout", 2000), "the network did not become idle within 2 s")
		})
	}
}
