package endpoint_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// serveTurncoat serves a site with a path that redirects elsewhere, and returns both URLs.
func serveTurncoat(t *testing.T) (site, elsewhere string) {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "elsewhere") }))
	t.Cleanup(other.Close)
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/leads" {
			http.Redirect(w, r, other.URL+"/", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<input id=name><p id=text>here")
	}))
	t.Cleanup(own.Close)
	return own.URL, other.URL
}

// A client blocked on its way to a forbidden host goes on to an allowed page. The next tool
// does not report that page as blocked.
func TestStrikeGoesWithItsDocument(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site, _ := serveTurncoat(t)
	svc := pipetest.StartService(t, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(site)+"(/|$)")
	ours := svc.Open(nil)
	ours.On("nav", map[string]any{"url": site + "/"})
	c := connect(t, svc, ours)
	at := c.settle()
	goes := func(path string) (why string) {
		var got struct{ ErrorText string }
		c.get(at.session, "Page.navigate", map[string]any{"url": site + path}, &got)
		return got.ErrorText
	}
	if why := goes("/leads"); why == "" {
		t.Fatal("the client got to a forbidden host")
	}
	// While the page shows the blocked document, tools report it.
	pipetest.Has(t, ours.Refuse(-32003, "txt", map[string]any{"sel": "body"}), "blocked")
	if why := goes("/leads"); why == "" {
		t.Fatal("the client got to a forbidden host")
	}
	if why := goes("/form"); why != "" {
		t.Fatalf("an allowed page: %s", why)
	}
	pipetest.Eventually(t, "the client fills the form", func() bool {
		return c.evaluate(at.session, "(document.querySelector('#text') && document.querySelector('#name') || {}).value = 'typed'; document.querySelector('#name')?.value") == "typed"
	})
	if got := ours.On("eval", map[string]any{"code": "document.querySelector('#name').value + ' ' + location.pathname"}); got != `"typed /form"` {
		t.Errorf("the next tool has %s", got)
	}
}

// A client redirected to a forbidden host learns why the navigation failed.
func TestClientIsToldWhy(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site, elsewhere := serveTurncoat(t)
	svc := pipetest.StartService(t, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(site)+"(/|$)")
	ours := svc.Open(nil)
	ours.On("nav", map[string]any{"url": site + "/"})
	c := connect(t, svc, ours)
	at := c.settle()
	c.get(at.session, "Network.enable", nil, &struct{}{})
	var got struct{ ErrorText string }
	c.get(at.session, "Page.navigate", map[string]any{"url": site + "/leads"}, &got)
	pipetest.Has(t, got.ErrorText, "net::ERR_BLOCKED_BY_CLIENT: blocked: "+elsewhere, "not allowed here")
	pipetest.Eventually(t, "the event says so", func() bool {
		for line := range strings.Lines(c.text()) {
			if strings.Contains(line, "Network.loadingFailed") && strings.Contains(line, "blocked: "+elsewhere) && strings.Contains(line, `"blockedReason":"inspector"`) {
				return true
			}
		}
		return false
	})
	c.get(at.session, "Page.navigate", map[string]any{"url": site + "/form"}, &got)
}
