package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMouseDownStaysInItsDocument: a frame of another origin that the page puts under the mouse does
// not get the next mouse-down. That is an error, until the mouse is moved there again.
func TestMouseDownStaysInItsDocument(t *testing.T) {
	pipetest.InCI(t, "it is about a wall, and TestKeyboardAndMouse is quick")
	t.Parallel()
	var pressed atomic.Int64
	var other string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/pressed":
			pressed.Add(1)
		case "/frame":
			fmt.Fprint(w, `<script>addEventListener('mousedown', () => fetch('/pressed'), true)</script>`)
		case "/":
			fmt.Fprintf(w, lifting, other, "false")
		}
	}))
	t.Cleanup(site.Close)
	u, _ := url.Parse(site.URL)
	other = "http://bank.localhost:" + u.Port()
	p := pipetest.Shared(t)
	p.Call("nav", []any{site.URL + "/"})
	p.Call("eval", []any{"begins('mousemove')"})
	p.Call("mouse-move", []any{100, 50})
	pipetest.Eventually(t, "the page raises its frame", func() bool {
		return p.Text("eval", []any{"document.elementFromPoint(100, 50).id"}) == "f1"
	})
	pipetest.Has(t, p.Fail("mouse-down", nil), "the page has put a frame under the mouse at 100, 50", "the button was not pressed")
	if n := pressed.Load(); n != 0 {
		t.Errorf("the frame was pressed %d times", n)
	}
	p.Call("mouse-move", []any{100, 50})
	p.Call("mouse-down", nil)
	p.Call("mouse-up", nil)
	pipetest.Eventually(t, "the frame that is meant is pressed", func() bool { return pressed.Load() == 1 })
}
