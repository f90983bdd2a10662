package browser_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A page that opens a window larger than any screen does not crash the browser: the
// window gets the size of a large screen.
func TestWindowsOfPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMaxPages is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	for i, features := range []string{"width=1000000,height=1000000", "innerWidth=1e9,innerHeight=99999999999999999999"} {
		p.Call("eval", []any{"void window.open('about:blank', '_blank', '" + features + "')"})
		id := []string{"p2", "p3"}[i]
		const size = "await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))), innerWidth <= 3840 && innerHeight <= 2160"
		if got := p.Call("eval", []any{"(async () => (" + size + "))()"}, "page", id); got != "true" {
			t.Errorf("%s: a window within a screen: %s", features, got)
		}
	}
	p.Call("eval", []any{"void window.open('about:blank', '_blank', 'width=500,height=400')"})
	if got := p.Text("eval", []any{"innerWidth + ' ' + innerHeight"}, "page", "p4"); got != "500 400" {
		t.Errorf("a window as it was asked for: %s", got)
	}
	if got := p.Text("url", nil); !strings.HasSuffix(got, "/login") {
		t.Errorf("the page is at %s", got)
	}
}
