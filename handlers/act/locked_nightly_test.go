//go:build evidence

package act_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPointerLockIsNamed: the act that led to it says that the page has locked the pointer.
func TestPointerLockIsNamed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript pointer is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<button onclick="document.body.requestPointerLock()">Lock</button>`})
	call := pipetest.OverMCP(pipetest.StartOn(t, site, "--profile", "agent"))
	got := call("click", pipetest.Object{"sel": "button", "timeout": 60})
	pipetest.Has(t, got, "→ the page has locked the pointer; the next act with the mouse frees it, as Escape does")
}

// TestPointerLock: a page that locks the pointer is named, and an act with the mouse frees it, in each of
// these ways to lock it. Without that the mouse points at nothing.
func TestPointerLock(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript pointer is quick")
	// What the browser answered to the page's last request: it refuses one now and then.
	const answer = "self.asked ?? frames[0].asked"
	t.Parallel()
	game := `<script>const lock = (e, o) => asked = e.requestPointerLock(o).then(() => "locked", (e) => e.name)</script>
<canvas id=c width=300 height=50></canvas><button id=body onclick="lock(document.body)">Body</button>
<button id=canvas onclick="lock(c)">Canvas</button><input id=key placeholder=key onkeydown="lock(c)">
<button id=raw onclick="lock(c, {unadjustedMovement: false})">Raw</button>
<button id=free onclick="document.title = 'free'" ondblclick="document.title = 'twice'" onmouseover="over.textContent = 'over'">Free</button><p id=over>-</p>`
	site := pipetest.ServePages(t, map[string]string{"/": game, "/framed": game + `<iframe src="/" width=900 height=300></iframe>`})
	p := pipetest.StartOn(t, site, "--profile", "agent")
	call := pipetest.OverMCP(p)
	frame := "iframe >> internal:control=enter-frame >> "
	for _, c := range []struct {
		path, lock string
		act        string
		params     pipetest.Object
	}{
		{"/", "#body", "click", pipetest.Object{"sel": "#free"}},
		{"/", "#canvas", "dclick", pipetest.Object{"sel": "#free"}},
		{"/", "#raw", "hover", pipetest.Object{"sel": "#free"}},
		{"/", "#key", "mouse-click", pipetest.Object{"x": 20, "y": 20}},
		{"/framed", frame + "#canvas", "click", pipetest.Object{"sel": "#free"}},
	} {
		p.Call("nav", []string{site + c.path})
		pipetest.Eventually(t, "the pointer is locked", func() bool {
			act, params := "click", pipetest.Object{"sel": c.lock, "timeout": 60}
			if c.lock == "#key" {
				act, params["key"] = "press", "a"
			}
			if got := call(act, params); !strings.HasPrefix(got, "ok") {
				t.Errorf("%s: %s", c.lock, got)
			}
			return p.Text("eval", []string{answer}) == "locked"
		})
		c.params["timeout"] = 60 // a busy machine is slow in this
		got := call(c.act, c.params)
		pipetest.Has(t, got, "→ freed the pointer, which the page had locked")
		if c.act != "mouse-click" && p.Text("title", nil) == c.path && p.Text("txt", []string{"#over"}) == "-" {
			t.Errorf("%s after %s: the page saw nothing: %s", c.act, c.lock, got)
		}
		pipetest.Lacks(t, call("click", pipetest.Object{"sel": "#free"}), "freed the pointer")
	}
}
