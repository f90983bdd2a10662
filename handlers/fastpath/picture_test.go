//go:build evidence

package fastpath_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/until"
	"pwpipe/provider"
)

// pictured are pages to take pictures of, each after some steps. The driver takes those
// that are marked.
var pictured = map[string]struct {
	page, do string
	driver   bool
}{
	"plain":    {`<h1>Here</h1><p style="background:linear-gradient(red,blue)">text`, "1", false},
	"caret":    {`<input id=i value=text><p>text`, "i.focus()", false},
	"styled":   {`<textarea id=i style="caret-color: red; color: green;">text</textarea>`, "i.focus()", false},
	"editable": {`<div contenteditable id=i>text</div>`, "i.focus()", false},
	"shadow":   {`<div id=h></div>`, "h.attachShadow({mode: 'open'}).innerHTML = '<input value=inside>', h.shadowRoot.querySelector('input').focus()", false},
	"scrolled": {`<div style="height: 5000px; background: repeating-linear-gradient(#123, #456 50px)">tall</div>`, "scrollTo(0, 1234)", false},
	"between":  {`<div style="height: 5000px; background: repeating-linear-gradient(#123, #456 7px)">tall</div>`, "scrollTo(0, 100.5)", false},
	"sideways": {`<div style="width: 5000px; height: 3000px; background: repeating-linear-gradient(33deg, #123, #456 50px)">wide</div>`, "scrollTo(777, 99)", false},
	"sticky":   {`<h1 style="position: sticky; top: 0; background: gold">head</h1><p style="position: fixed; bottom: 0">foot</p><div style="height: 5000px">text</div>`, "scrollTo(0, 1000)", false},
	"canvas":   {`<canvas id=c width=300 height=200>`, "c.getContext('2d').fillRect(10, 10, 200, 100)", false},
	"clear":    {`<style>html { background: transparent }</style><b>no background</b>`, "1", false},
	"dark":     {`<style>:root { color-scheme: dark }</style><input><select><option>one`, "1", false},
	"running":  {`<style>@keyframes go { to { left: 300px } } b { position: relative; animation: go 9999s steps(1) infinite }</style><b>moves later</b>`, "1", false},
	"paused":   {`<style>@keyframes go { to { left: 300px } } b { position: relative; animation: go 9s paused -4s }</style><b>half way</b>`, "1", false},
	"modal":    {`<p>below</p><dialog id=d><input value=above></dialog>`, "d.showModal()", false},
	"alert":    {`<p>text`, "alert('seen'), document.body.append(' after')", false},
	"popover":  {`<p>below</p><div popover id=d>above</div>`, "d.showPopover()", false},
	"frame": {`<iframe srcdoc="<input autofocus value=framed>"></iframe>`,
		"document.querySelector('iframe').contentDocument.querySelector('input').focus()", false},
	"frames": {`<iframe srcdoc="<p>outer<iframe srcdoc='<div contenteditable>inner</div>'></iframe>"></iframe>`,
		"frames[0][0].document.querySelector('div').focus()", false},
	"elsewhere": {`<iframe src="OTHER/caret" width=500></iframe><input id=i value=here>`, "i.focus()", false},
	"other":     {`<iframe src="OTHER/caret" width=500></iframe>`, "frames[0].focus()", true},
	"zoomed":    {`<input id=i value=text><p style="zoom: 1.3">text`, "i.focus()", false},
}

// TestPicturesBothWays: pictures by both ways are pixel-identical, and the page
// gets its caret back.
func TestPicturesBothWays(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothWays is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		other := strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)
		_, _ = io.WriteString(w, strings.Replace(pictured[strings.TrimPrefix(r.URL.Path, "/")].page, "OTHER", other, 1))
	}))
	t.Cleanup(site.Close)
	s := start(t)
	for _, screen := range []float64{1, 2, 1.5} {
		r, err := s.table.Call(s.ctx, provider.Request{Tool: "open-ctx", Params: encode(map[string]any{"scale": screen, "width": 641, "height": 360})})
		if err != nil {
			t.Fatal(err)
		}
		s.call("use-page", s.handle("new-page", s.text(r.JSON)))
		for name, p := range pictured {
			s.call("nav", site.URL+"/"+name)
			s.call("eval", p.do)
			s.picturesAlike(fmt.Sprintf("%s at %v", name, screen), p.driver)
		}
	}
}

// picturesAlike takes pictures of the page by both ways, in both formats and at both scales.
func (s *session) picturesAlike(name string, driver bool) {
	s.Helper()
	page, path := s.page(), filepath.Join(s.TempDir(), "shot")
	const state = "document.documentElement.outerHTML.replace(' style=\"\"', '') + document.getAnimations().map(a => a.playState)"
	style := s.call("eval", state)
	for _, shot := range pipetest.Sample([]string{"shot .png", "screenshot .png", "shot .jpg"}, 2) {
		tool, ending, _ := strings.Cut(shot, " ")
		before := fastpath.Counts(page).Answers
		s.take(s.ctx, tool, path+ending)
		if after := fastpath.Counts(page).Answers; (after > before) == driver {
			s.Errorf("%s: %d answers of the page itself", name, after-before)
		}
		ours := pixels(s.T, path+ending)
		s.take(fastpath.Without(s.ctx), tool, path+ending)
		if theirs := pixels(s.T, path+ending); ours.Bounds() != theirs.Bounds() || !bytes.Equal(ours.Pix, theirs.Pix) {
			s.Errorf("%s: %s is another, %v and %v", name, shot, ours.Bounds(), theirs.Bounds())
		}
	}
	if got := s.call("eval", state); got != style {
		s.Errorf("%s: the page is left as %s, not %s", name, got, style)
	}
}

// TestPicturesAwaitFonts: while a font is loading the driver takes the picture, which waits for it.
func TestPicturesAwaitFonts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	asked, prepared, late := make(chan bool), make(chan bool, 100), make(chan bool)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/font":
			close(asked)
			<-late
		case "/prepared":
			prepared <- true
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<input>")
	}))
	t.Cleanup(site.Close)
	s := start(t)
	s.call("nav", site.URL)
	page := s.page()
	s.call("eval", "document.fonts.add(new FontFace('late', 'url(/font)')), void document.fonts.load('9px late')")
	<-asked
	// The driver hides the carets of all fields, and then waits for fonts.
	s.call("eval", "new MutationObserver(() => fetch('/prepared')).observe(document, {attributes: true, subtree: true})")
	before := fastpath.Counts(page).Answers
	taken := make(chan bool)
	go func() {
		defer close(taken)
		s.take(s.ctx, "shot", filepath.Join(s.TempDir(), "shot.png"))
	}()
	select {
	case <-taken:
		t.Error("the picture did not wait for the font")
	case <-prepared:
	}
	select {
	case <-taken:
		t.Error("the driver did not wait for the font")
	case <-time.After(200 * time.Millisecond): // it never ends before the font comes
	}
	close(late)
	<-taken
	if after := fastpath.Counts(page).Answers; after != before {
		t.Errorf("%d answers of the page itself", after-before)
	}
}

// take has a tool write a picture to a file.
func (s *session) take(ctx context.Context, tool, path string) {
	s.Helper()
	if r, err := s.table.Call(ctx, provider.Request{Tool: tool, Params: encode(map[string]any{"path": path})}); err != nil {
		s.Fatal(err, r)
	}
}

func (s *session) text(raw []byte) string { return pipetest.Decode[string](s.T, string(raw)) }

func (s *session) handle(tool string, params ...any) string {
	s.Helper()
	return s.text([]byte(s.call(tool, params...)))
}

func pixels(t *testing.T, path string) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	all := image.NewRGBA(picture.Bounds())
	draw.Draw(all, all.Bounds(), picture, image.Point{}, draw.Src)
	return all
}

// elements are elements to take pictures of, in order. The driver takes those that are marked.
var elements = []struct {
	name, html string
	driver     bool
}{
	{"plain", `<h1>Heading</h1>`, false},
	{"fractions", `<div style="margin: 3.4px 7.7px; width: 100.5px; height: 20.3px; background: linear-gradient(red, blue)">text</div>`, false},
	{"turned", `<div style="width: 90px; height: 40px; margin: 30px; background: gold; transform: rotate(20deg) scale(1.1)">text</div>`, false},
	{"a word", `<span>word</span>`, false},
	{"a field with the focus", `<input value=text autofocus>`, false},
	{"clear", `<div style="height: 9px; width: 9px"></div>`, false},
	{"in a list that scrolls", `<div style="height: 40px; overflow: auto"><p class=it>first</p><p style="height: 200px">rest</p></div>`, false},
	{"cut by a list", `<div style="height: 20px; overflow: auto"><p class=it style="height: 200px">rest</p></div>`, true},
	{"several lines", `<div style="width: 60px"><span class=it>some words of a text</span></div>`, true},
	{"a drawing", `<svg class=it width=30 height=30><circle r=9 cx=15 cy=15 /></svg>`, true},
	{"zoomed", `<b style="zoom: 1.3">large</b>`, true},
	{"moving", `<style>@keyframes go { to { opacity: .99 } }</style><b style="animation: go 9999s steps(1) infinite">later</b>`, false},
	{"below", `<p style="height: 2000px">tall</p><h2 class=it>below</h2>`, true},
	{"hidden names", `<form class=it><input name=getClientRects><input name=offsetParent><button>in a form</button></form>`, false},
}

// TestElementPictures: pictures of elements by both ways are pixel-identical.
func TestElementPictures(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i, e := range elements {
			if r.URL.Path == fmt.Sprint("/", i) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, `<!doctype html><p style="height: 33.3px; background: repeating-linear-gradient(33deg, #123, #456 5px)"></p>`+e.html)
			}
		}
	}))
	t.Cleanup(site.Close)
	s := start(t)
	for _, screen := range []float64{1, 2} {
		r, err := s.table.Call(s.ctx, provider.Request{Tool: "open-ctx", Params: encode(map[string]any{"scale": screen, "width": 641, "height": 360})})
		if err != nil {
			t.Fatal(err)
		}
		s.call("use-page", s.handle("new-page", s.text(r.JSON)))
		for i, e := range elements {
			s.call("nav", fmt.Sprint(site.URL, "/", i))
			sel := ".it"
			if !strings.Contains(e.html, "class=it") {
				sel = "body > :last-child"
			}
			s.elementAlike(fmt.Sprintf("%s at %v", e.name, screen), sel, e.driver)
		}
	}
}

// elementAlike takes pictures of an element by both ways. A document stands still when nothing has
// changed for two frames.
func (s *session) elementAlike(name, sel string, driver bool) {
	s.Helper()
	path := filepath.Join(s.TempDir(), "element.png")
	take := func(ctx context.Context) *image.RGBA {
		s.call("eval", "scrollTo(0, 0)") // the driver scrolls
		if _, err := s.table.Call(ctx, provider.Request{Tool: "eshot", Params: encode(map[string]any{"sel": sel, "path": path})}); err != nil {
			s.Fatalf("%s: %v", name, err)
		}
		return pixels(s.T, path)
	}
	theirs := take(fastpath.Without(s.ctx))
	direct := false
	until.Held(func() bool { // once the element stands still, the page itself answers
		before := fastpath.Counts(s.page()).Answers
		ours := take(s.ctx)
		after := fastpath.Counts(s.page()).Answers
		if ours.Bounds() != theirs.Bounds() || !bytes.Equal(ours.Pix, theirs.Pix) {
			s.Errorf("%s: another picture, %v and %v", name, ours.Bounds(), theirs.Bounds())
		}
		direct = after > before
		return direct || driver
	})
	if direct == driver {
		s.Errorf("%s: by the page itself is %v", name, direct)
	}
}
