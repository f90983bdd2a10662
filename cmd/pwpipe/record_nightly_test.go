//go:build evidence

package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestVideo films a page. The film is as long as what it shows, and whole also when
// nobody ended it. WebM plays in a browser, with the page's colours in their order.
func TestVideo(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVideoChapters of tests/eachtool is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	pipetest.Steps(p,
		does("video-stop", nil, "!not being filmed"),
		does("video-start", list(in("film.mp4")), "!expected a .webm or .avi file"),
		does("nav", list("/form"), "null"),
	)
	paint := func(colour string) {
		p.Call("eval", map[string]any{"code": `(document.body.replaceChildren(), document.documentElement.style.background = document.body.style.background = '` + colour + `', new Promise((done) => setTimeout(done, 500)))`})
	}
	paint("rgb(200,0,0)")
	p.Call("video-start", list(in("film")))
	pipetest.Has(t, p.Fail("video-start", list(in("other"))), "already", in("film.webm"))
	for _, colour := range []string{"rgb(200,0,0)", "rgb(0,0,200)", "rgb(0,200,0)"} {
		paint(colour)
	}
	// The page that encodes is nobody's: not a script's either, by DevTools.
	got := pipetest.Execute(p, `const all = (await (await browser.newBrowserCDPSession()).send('Target.getTargets')).targetInfos.map((t) => t.url);
		return [browser.contexts().length, context.pages().length, all.length > 0, JSON.stringify(all).includes('film.invalid')]`)
	if got != "[1,1,true,false]" {
		t.Errorf("while a film is made there are %s", got)
	}
	if got := p.Text("video-stop", nil); got != in("film.webm") {
		t.Errorf("the film is %s", got)
	}
	pipetest.Steps(p,
		does("video-start", list(in("film.avi")), ""),
		does("nav", list("/clock"), "null"),
		does("expect-text", list("#ticks", "2"), "null"),
		does("video-stop", nil, ""),
		does("video-start", list(in("cut.webm")), ""),
		does("nav", list("/form"), "null"),
		does("viewport", list(300, 200), "null"),
	)
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	if got := pipetest.PlayFilm(t, in("film.webm")); got.Width != 1280 || got.Height != 720 || got.Seconds < 1.5 || !strings.HasSuffix(got.Colours, "red blue green") {
		t.Errorf("the film shows %+v", got)
	}
	if got := pipetest.PlayFilm(t, in("cut.webm")); got.Width != 1280 || got.Seconds <= 0 {
		t.Errorf("the film that nobody ended shows %+v", got)
	}
	data, err := os.ReadFile(in("film.avi"))
	if err != nil || !bytes.HasPrefix(data, []byte("RIFF")) || int(binary.LittleEndian.Uint32(data[4:]))+8 != len(data) || !bytes.Contains(data, []byte("idx1")) {
		t.Errorf("%v, %d bytes, %.12q", err, len(data), data)
	}
	if n := bytes.Count(data, []byte("\xff\xd8\xff")); n < 10 {
		t.Errorf("the .avi holds %d pictures", n)
	}
}

func TestRecordings(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestReadmeTranscript is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	dir := t.TempDir()
	page, trace := filepath.Join(dir, "page.pdf"), filepath.Join(dir, "trace.zip")
	pipetest.Steps(p,
		does("trace-stop", list(trace), "!no trace is being recorded"),
		does("trace-start", list("A title"), "null"),
		does("trace-start", nil, "!already"),
		does("nav", list("/form"), "null"),
		does("fill", list("#name", "traced"), "null"),
		does("trace-stop", list(filepath.Join(dir, "trace.txt")), "!expected a .zip file"),
		does("trace-stop", list(trace), ""),
		does("pdf", list(page), ""),
		does("pdf", pipetest.Object{"path": filepath.Join(dir, "one.pdf"), "format": "A5", "landscape": true, "pages": "1"}, ""),
		does("pdf", list(filepath.Join(dir, "page.txt")), "!expected a .pdf file"),
		does("log-stop", nil, "!no log is being written"),
	)
	if data, _ := os.ReadFile(page); !bytes.HasPrefix(data, []byte("%PDF-")) {
		t.Errorf("no PDF: %.20q", data)
	}
	z, err := zip.OpenReader(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	names := ""
	for _, f := range z.File {
		names += f.Name + " "
	}
	if !strings.Contains(names, "trace.trace") || !strings.Contains(names, "resources/") {
		t.Errorf("the trace holds %s", names)
	}
}
