//go:build evidence

package watch_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHighlightFollows: a mark stays at its element while this moves and the page scrolls,
// is above a dialog, and goes with its element and its page.
func TestHighlightFollows(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	site := pipetest.ServePages(t, map[string]string{"/": marked, "/frame": `<iframe src="/" width=900 height=600></iframe>`})
	p.Call("nav", pipetest.List(site+"/"))
	p.Call("highlight", pipetest.List("#one", "A >> b \"c\" 50% 🙂"))
	p.Call("eval", pipetest.List("one.style.left = '663px'; scrollTo(0, 100)"))
	pipetest.Eventually(t, "the mark at the new place", func() bool { return markAt(p, 663, 260) && !markAt(p, 63, 360) })
	p.Call("eval", pipetest.List(`document.body.insertAdjacentHTML('beforeend', '<dialog style="width:900px;height:600px">');
		document.querySelector('dialog').showModal()`))
	p.Call("highlight", pipetest.List("#one", "Above"))
	if !markAt(p, 663, 260) {
		t.Error("the mark is below a dialog")
	}
	p.Call("eval", pipetest.List("one.remove()"))
	pipetest.Eventually(t, "the end of the mark", func() bool {
		return p.Call("eval", pipetest.List("!document.querySelector('pwpipe-highlight')")) == "true"
	})
	p.Call("nav", pipetest.List(site+"/frame"))
	inner := "iframe >> internal:control=enter-frame >> #one"
	p.Call("highlight", pipetest.List(inner, "Inside"))
	if !markAt(p, 8+2+63, 8+2+360) {
		t.Error("no mark in a frame")
	}
	p.Call("highlight", nil)
	if markAt(p, 8+2+63, 8+2+360) {
		t.Error("the mark in a frame stayed")
	}
	p.Complains("nothing matches \"#none\"", "highlight", pipetest.List("#none", "x"), "timeout", 1)
	p.Complains("text: a word needs", "highlight", pipetest.Object{"text": "x"})
}

// TestHighlightIsFilmed: the film of a page shows its marks.
func TestHighlightIsFilmed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	p := pipetest.Start(t)
	site := pipetest.ServePages(t, map[string]string{"/": strings.ReplaceAll(marked, ";height:3000px", "")})
	path := filepath.Join(t.TempDir(), "marked.webm")
	p.Call("nav", pipetest.List(site+"/"))
	p.Call("eval", pipetest.List("under.remove()"))
	p.Call("video-start", pipetest.List(path))
	p.Call("highlight", pipetest.List("#one", "Pay"))
	// A film has ten pictures a second, and the browser drops some. So there is much to draw
	// while the mark is there.
	p.Call("eval", pipetest.List("two.animate([{}, { marginTop: '90px' }], 3000).finished.then(() => {})"))
	p.Call("highlight", nil)
	p.Call("video-stop", nil)
	film := pipetest.PlayFilm(t, path)
	shown := false
	for _, colour := range strings.Fields(film.Colours) {
		var r, g, b int
		if n, _ := fmt.Sscanf(colour, "%d,%d,%d", &r, &g, &b); n == 3 {
			shown = shown || isMark(r, g, b)
		}
	}
	if !shown {
		t.Errorf("the film shows %s", film.Colours)
	}
}
