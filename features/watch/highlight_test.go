package watch_test

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/png"
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
	pipetest.InCI(t, "it is long, and TestService is quick")
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
