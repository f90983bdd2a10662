package guard_test

import (
	"fmt"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMouseDownStaysInItsDocument: a frame of another origin that the page puts under the mouse does
// not get the next mouse-down. That is an error, until the mouse is moved there again.
func TestMouseDownStaysInItsDocument(t *testing.T) {
	pipetest.InCI(t, "it is about a wall, and the transcript acts is quick")
	t.Parallel()
	site, paid := twoOrigins(t, `<script>addEventListener('mousedown', () => fetch('/paid'), true)</script>`,
		func(_, other string) string { return fmt.Sprintf(lifting, other, "false") })
	p := pipetest.Shared(t)
	p.Call("nav", []any{site + "/"})
	p.Call("eval", []any{"begins('mousemove')"})
	p.Call("mouse-move", []any{100, 50})
	pipetest.Eventually(t, "the page raises its frame", func() bool {
		return p.Text("eval", []any{"document.elementFromPoint(100, 50).id"}) == "f1"
	})
	pipetest.Has(t, p.Fail("mouse-down", nil), "the page has put a frame under the mouse at 100, 50", "the button was not pressed")
	if n := paid.Load(); n != 0 {
		t.Errorf("the frame was pressed %d times", n)
	}
	p.Call("mouse-move", []any{100, 50})
	p.Call("mouse-down", nil)
	p.Call("mouse-up", nil)
	pipetest.Eventually(t, "the frame that is meant is pressed", func() bool { return paid.Load() == 1 })
}
