package watch_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/png"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// marked is a page with an element at a known place: its word is drawn from (60,349) to 371.
const marked = `<!doctype html><title>marked</title><style>
body{margin:0;background:#fff;height:3000px}
button{position:absolute;left:63px;top:374px;width:200px;height:50px}
#two{left:500px} #under{left:60px;top:349px;width:80px;height:22px}</style>
<button id=one onclick="clicks++">One</button><button id=two>Two</button><button id=under onclick="covered++">Under</button>
<script>clicks = covered = seen = 0;
new MutationObserver((l) => seen += l.length).observe(document.body, {subtree: true, childList: true, attributes: true})</script>`

// isMark reports whether a colour is that of marks, also in a film.
func isMark(r, g, b int) bool { return r > 170 && g < 60 && b > 60 && b < 160 }

// markAt reports whether a picture of the page has the colour of marks at a place.
func markAt(p *pipetest.Pipe, x, y int) bool {
	p.T.Helper()
	shot := pipetest.Get[struct{ Base64 string }](p, "screenshot", nil)
	data, err := base64.StdEncoding.DecodeString(shot.Base64)
	if err != nil {
		p.T.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		p.T.Fatal(err)
	}
	r, g, b, _ := picture.At(x, y).RGBA()
	return isMark(int(r>>8), int(g>>8), int(b>>8))
}

// TestHighlight: pictures show the mark and its word, and nothing else does: no outline, no
// text, no click, no body of the page.
func TestHighlight(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	site := pipetest.ServePages(t, map[string]string{"/": marked})
	p.Call("nav", pipetest.List(site+"/"))
	outline, text, html := p.Call("snapshot", nil), p.Call("text", nil), p.Call("html", pipetest.List("body"))
	p.Call("highlight", pipetest.List("#one", "Pay here"))
	if !markAt(p, 63, 360) || !markAt(p, 62, 400) {
		t.Error("the picture has no word, or no frame")
	}
	for call, before := range map[string]string{"snapshot": outline, "text": text} {
		if got := p.Call(call, nil); got != before {
			t.Errorf("%s answers %s, and before %s", call, got, before)
		}
	}
	if got := p.Call("html", pipetest.List("body")); got != html {
		t.Errorf("the body is %s, and was %s", got, html)
	}
	if got := p.Call("count", pipetest.List("text=Pay here")); got != "0" {
		t.Errorf("%s elements have the word", got)
	}
	look := "[seen, !document.querySelector('pwpipe-highlight').shadowRoot]"
	if got := p.Call("eval", pipetest.List(look)); got != "[0,true]" {
		t.Errorf("what the page saw: %s", got)
	}
	p.Call("mouse-click", pipetest.List(80, 360)) // on the word
	p.Call("click", pipetest.List("#one"))
	if got := p.Call("eval", pipetest.List("[clicks, covered]")); got != "[1,1]" {
		t.Errorf("clicks: %s", got)
	}
	if !markAt(p, 63, 360) {
		t.Error("the mark went with an act")
	}
	p.Call("highlight", pipetest.List("#two"))
	p.Call("highlight", pipetest.List("#one", "Not here"))
	if !markAt(p, 499, 400) || !markAt(p, 63, 360) || markAt(p, 505, 360) {
		t.Error("two elements can't be marked, one without a word")
	}
	p.Call("highlight", nil)
	got := p.Call("eval", pipetest.List("document.querySelectorAll('pwpipe-highlight').length"))
	if got != "0" || markAt(p, 63, 360) {
		t.Error("the marks stayed")
	}
}

// TestHighlightFollows: a mark stays at its element while this moves and the page scrolls,
// is above a dialog, and goes with its element and its page.
func TestHighlightFollows(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestHighlight is quick")
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
	pipetest.Nightly(t, "it is long, and TestHighlight is quick")
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
