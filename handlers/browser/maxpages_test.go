package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// fewPages is the limit that TestMaxPages tries, and TestPixelsOfAllPages keeps: they share a process, which is
// started once, since they run one after another.
var fewPages = []string{"--max-pages", "5"}

// TestMaxPages: the limit on pages holds on the pipe too, however pages are opened and
// whoever started the browser.
func TestMaxPages(t *testing.T) {
	for _, args := range pipetest.Some([][]string{{}, {"--user-data-dir", filepath.Join(t.TempDir(), "profile")}}, 2) {
		name := fmt.Sprint(args)
		p := pipetest.Shared(t, fewPages...)
		if len(args) > 0 {
			p = pipetest.StartSite(t, append(args, fewPages...)...)
		}
		limit := func(what, text string) {
			t.Helper()
			if !strings.Contains(text, "over a limit: ") || !strings.Contains(text, "5 pages") {
				t.Errorf("%s: %s: %q", name, what, text)
			}
		}
		p.Call("nav", []any{"/"})
		for range 3 {
			p.Call("new-page", []any{"c1"})
		}
		p.Call("eval", []any{"void window.open('/login')"})
		limit("new-page", p.Fail("new-page", []any{"c1"}))
		limit("a script", p.Fail("execute", []any{"await context.newPage()"}))
		limit("another browser", p.Call("playwright_browser", map[string]any{"action": "launch"}))
		limit("a pop-up", p.Fail("eval", []any{"void window.open('/projects')"}))
		if got := p.Text("txt", []any{"h1"}, "page", "p5"); got != "Sign in" {
			t.Errorf("%s: the pop-up that there was room for: %q", name, got)
		}
		p.Call("close-page", []any{"p1"})
		p.Call("close-page", []any{"p2"})
		// In a kept profile one page's session reports the others. That was p1.
		refused := ""
		for i := 0; i < 20 && refused == ""; i++ {
			refused = p.Try("eval", []any{"void window.open('/projects')"}).Error
		}
		limit("a pop-up, after others were closed", refused)
		// Pages that opened while no session reported them are closed a moment later.
		pipetest.Eventually(t, name+": five pages are open", func() bool {
			return strings.Count(p.Call("pages", nil), `"page":`) <= 5
		})
	}
}
