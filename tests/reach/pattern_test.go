package reach

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// In a browser that pwpipe did not start, interception enforces the pattern:
// for navigations, pages' requests, and WebSockets.
func TestPatternInAnAttachedBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAttach is quick")
	t.Parallel()
	var hits atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(other.Close)
	c := startChrome(t, "0")
	site := pipetest.Site(t)
	s := pipetest.StartService(t, "--cdp=http://"+c.addr, "--base-url="+site, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(site)+"/")
	session := s.Open(nil)
	session.On("nav", map[string]any{"url": "/form"})
	socket := "ws" + strings.TrimPrefix(other.URL, "http")
	got := session.On("page.evaluate", map[string]any{"expression": fmt.Sprintf(`Promise.all([fetch(%q).then(() => "reached", () => "refused"),
fetch("/form").then(r => r.status), new Promise(done => { const i = new Image; i.onload = i.onerror = () => done("image"); i.src = %q }),
new Promise(done => { const s = new WebSocket(%q); s.onopen = () => done("open"); s.onclose = () => done("closed") })])`, other.URL, other.URL+"/i.png", socket)})
	if want := `"refused",200,"image"`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, call := range []struct {
		method string
		params map[string]any
	}{
		{"nav", map[string]any{"url": other.URL}}, {"page.goto", map[string]any{"url": other.URL}}, {"download", map[string]any{"url": other.URL}},
		{"execute", map[string]any{"code": "await page.goto('" + other.URL + "')"}}, {"execute", map[string]any{"code": "await page.request.get('" + other.URL + "')"}},
	} {
		if msg := session.Refuse(-32003, call.method, call.params); !strings.Contains(msg, "URLs must match") {
			t.Errorf("%s: %s", call.method, msg)
		}
	}
	if hits.Load() > 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}
