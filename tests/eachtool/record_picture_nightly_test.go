//go:build evidence

package eachtool_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// In a Chromium with windows, a background tab gets almost no frames. Pictures
// and actions work anyway.
func TestPageBehindAnother(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	over := p.Text("new-page", []any{"c1"})
	p.Call("nav", []any{"/shadow"}, "page", over)
	path := filepath.Join(t.TempDir(), "behind.png")
	for range 3 {
		p.Call("shot", []any{path})
		p.Call("shot", map[string]any{"path": path, "full": true})
		p.Call("eshot", []any{"h1", path})
		p.Call("hover", []any{"h1"})
		if got := p.Call("eval", []any{"(async () => { for (let i = 0; i < 5; i++) { document.body.style.margin = i + 'px'; await new Promise(requestAnimationFrame) } return 5 })()"}); got != "5" {
			t.Error(got)
		}
		if got := pipetest.Execute(p, "const behind = page; await behind.screenshot(); await behind.locator('h1').screenshot(); await behind.locator('h1').hover(); 'drawn'"); !strings.Contains(got, "drawn") {
			t.Error(got)
		}
	}
	p.Call("close-page", []any{over})
}
