package fastpath_test

import (
	"bytes"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// pictured are pages to take pictures of, each after some steps.
var pictured = map[string]struct{ page, do string }{
	"plain":    {`<h1>Here</h1><p style="background:linear-gradient(red,blue)">text`, "1"},
	"caret":    {`<input id=i value=text><p>text`, "i.focus()"},
	"styled":   {`<textarea id=i style="caret-color: red; color: green;">text</textarea>`, "i.focus()"},
	"editable": {`<div contenteditable id=i>text</div>`, "i.focus()"},
	"shadow":   {`<div id=h></div>`, "h.attachShadow({mode: 'open'}).innerHTML = '<input value=inside>', h.shadowRoot.querySelector('input').focus()"},
	"scrolled": {`<div style="height: 5000px; background: repeating-linear-gradient(#123, #456 50px)">tall</div>`, "scrollTo(0, 1234)"},
	"canvas":   {`<canvas id=c width=300 height=200>`, "c.getContext('2d').fillRect(10, 10, 200, 100)"},
	"clear":    {`<style>html { background: transparent }</style><b>no background</b>`, "1"},
	"dark":     {`<style>:root { color-scheme: dark }</style><input><select><option>one`, "1"},
	// The driver takes this one.
	"frame": {`<iframe srcdoc="<input autofocus value=framed>"></iframe>`, "document.querySelector('iframe').contentDocument.querySelector('input').focus()"},
}

// TestPicturesBothWays: pictures by both ways are pixel-identical, and the page
// gets its caret back.
func TestPicturesBothWays(t *testing.T) {
	pipetest.InCI(t, "TestBothWays covers the core of it")
	t.Parallel()
	pages := map[string]string{}
	for name, p := range pictured {
		pages["/"+name] = p.page
	}
	site := pipetest.ServePages(t, pages)
	s := start(t)
	dir := t.TempDir()
	for _, screen := range []float64{1, 2} {
		r, err := s.table.Call(s.ctx, provider.Request{Tool: "open-ctx", Params: encode(map[string]any{"scale": screen, "width": 640, "height": 360})})
		if err != nil {
			t.Fatal(err)
		}
		s.call("use-page", s.handle("new-page", s.text(r.JSON)))
		for name, p := range pictured {
			s.call("nav", site+"/"+name)
			s.call("eval", p.do)
			page := s.page()
			style := s.call("eval", "document.documentElement.outerHTML")
			for _, file := range []string{"shot.png", "shot.jpg"} {
				path := filepath.Join(dir, file)
				before, _ := fastpath.Counted(page)
				s.call("shot", path)
				if after, _ := fastpath.Counted(page); (after > before) != (name != "frame" && screen == 1) {
					t.Errorf("%s: %d answers of the page itself", name, after-before)
				}
				ours := pixels(t, path)
				if got := s.try(fastpath.Without(s.ctx), "shot", path); got[0] == '!' {
					t.Fatal(got)
				}
				if theirs := pixels(t, path); ours.Bounds() != theirs.Bounds() || !bytes.Equal(ours.Pix, theirs.Pix) {
					t.Errorf("%s at %v: %s is another, %v and %v", name, screen, file, ours.Bounds(), theirs.Bounds())
				}
			}
			if got := s.call("eval", "document.documentElement.outerHTML.replace(' style=\\\"\\\"', '')"); got != style {
				t.Errorf("%s: the page is left as %s", name, got)
			}
		}
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
