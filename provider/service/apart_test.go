package service_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// ownPage is a client's page: of its colour, with its name in all that it asks for. It draws
// thirty pictures, and notes when it has drawn twenty.
const ownPage = `<body style="margin:0;background:COLOUR"><input type=file id=file>
<a id=get download=same.txt href="data:text/plain,bytes of NAME">get</a><b id=n style="position:fixed;left:50%"></b>
<script>document.title = 'page of NAME'; let drawn = 0;
const draw = () => { n.textContent = ++drawn; if (drawn === 20) { document.body.dataset.drawn = 1; fetch('/asked-by-NAME') } if (drawn < 30) requestAnimationFrame(draw) };
draw()</script>`

// TestFilesOfSharedDriver: what two clients record, download and upload at the same time, in two
// browsers on one driver, stays apart: each file has what is its client's, and nothing of the
// other's; and no client reads the other's files.
func TestFilesOfSharedDriver(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.InCI(t, "it is long, and TestTranscripts is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--browsers=2", "--drivers=1", "--session-ttl-ms=600000")
	colours := map[string]string{"curlew": "red", "plover": "blue"}
	pages := map[string]string{}
	for name, colour := range colours {
		pages["/"+name] = strings.NewReplacer("NAME", name, "COLOUR", colour).Replace(ownPage)
		pages["/asked-by-"+name] = ""
	}
	site, dir := pipetest.ServePages(t, pages), t.TempDir()
	file := func(client, name string) string { return filepath.Join(dir, client, name) }
	var noting sync.Mutex
	uris := map[string][]string{}
	each := func(do func(c pipetest.MCP)) { // both at once
		t.Helper()
		var both sync.WaitGroup
		for name := range colours {
			both.Go(func() { do(pipetest.MCP{Service: svc, Name: name}) })
		}
		if both.Wait(); t.Failed() {
			t.FailNow()
		}
	}
	use := func(c pipetest.MCP, tool string, args m) string {
		t.Helper()
		a := c.Use(tool, args)
		text := ""
		for _, part := range a.Result.Content {
			text += part.Text
			if part.URI != "" {
				noting.Lock()
				uris[c.Name] = append(uris[c.Name], part.URI)
				noting.Unlock()
			}
		}
		if a.Result.IsError {
			t.Errorf("%s of %s: %s", tool, c.Name, text)
		}
		return text
	}
	each(func(c pipetest.MCP) {
		write(t, file(c.Name, "same.txt"), "bytes of "+c.Name)
		use(c, "nav", m{"url": site + "/" + c.Name})
		use(c, "har-record", m{"path": file(c.Name, "net.har")})
		use(c, "trace-start", m{})
		use(c, "video-start", m{"path": file(c.Name, "film.webm")})
	})
	if browsers, drivers := browsersOf(t, svc), driversOf(t, svc); len(browsers) != 2 || len(drivers) != 1 {
		t.Fatalf("%d browsers on %d drivers, want 2 on 1", len(browsers), len(drivers))
	}
	each(func(c pipetest.MCP) { use(c, "reload", m{}) })
	each(func(c pipetest.MCP) { use(c, "wait", m{"sel": "body[data-drawn]", "timeout": 80}) })
	each(func(c pipetest.MCP) { use(c, "video-stop", m{}) })
	each(func(c pipetest.MCP) { use(c, "upload", m{"sel": "#file", "files": file(c.Name, "same.txt")}) })
	each(func(c pipetest.MCP) {
		if got := use(c, "eval", m{"code": "document.querySelector('#file').files[0].text()"}); !strings.Contains(got, "bytes of "+c.Name) {
			t.Errorf("%s has uploaded %s", c.Name, got)
		}
		use(c, "download", m{"sel": "#get"})
	})
	each(func(c pipetest.MCP) { use(c, "trace-stop", m{"path": file(c.Name, "trace.zip")}) })
	each(func(c pipetest.MCP) { use(c, "close-ctx", m{"ctx": "c1"}) })

	for name := range colours {
		c := pipetest.MCP{Service: svc, Name: name}
		other := map[string]string{"curlew": "plover", "plover": "curlew"}[c.Name]
		own := func(what string, text []byte, want string) {
			t.Helper()
			if !bytes.Contains(text, []byte(want)) || bytes.Contains(text, []byte(other)) {
				t.Errorf("%s of %s: has %q: %t; has %q: %t", what, c.Name, want, bytes.Contains(text, []byte(want)), other, bytes.Contains(text, []byte(other)))
			}
		}
		har, err := os.ReadFile(file(c.Name, "net.har"))
		if err != nil {
			t.Fatal(err)
		}
		own("HAR", har, "/asked-by-"+c.Name)
		trace, pictures := unzipped(t, file(c.Name, "trace.zip"))
		own("trace", trace, "/asked-by-"+c.Name)
		if pictures != colours[c.Name] {
			t.Errorf("the trace of %s shows %q", c.Name, pictures)
		}
		// A document that is slow to draw is white before.
		shown := strings.Fields(strings.ReplaceAll(pipetest.PlayFilm(t, file(c.Name, "film.webm")).Colours, "white", ""))
		if slices.Sort(shown); !slices.Equal(slices.Compact(shown), []string{colours[c.Name]}) {
			t.Errorf("the film of %s shows %s", c.Name, shown)
		}
		for _, uri := range uris[c.Name] {
			if got, _, _ := (pipetest.MCP{Service: svc, Name: other}).Ask("resources/read", m{"uri": uri}, "Mcp-Name: "+uri); got.Error == nil {
				t.Errorf("%s reads %+v", other, got.Result.Contents)
			}
			got, _, _ := c.Ask("resources/read", m{"uri": uri}, "Mcp-Name: "+uri)
			if got.Error != nil {
				t.Errorf("%s can't read its own file: %s", c.Name, got.Error.Message)
			} else if read := got.Result.Contents[0]; read.MIMEType == "text/plain" && read.Text != "bytes of "+c.Name {
				t.Errorf("%s has downloaded %q", c.Name, read.Text)
			}
		}
		if len(uris[c.Name]) != 4 {
			t.Errorf("%s has the files %v, want a HAR, a film, a download and a trace", c.Name, uris[c.Name])
		}
	}
}

// write writes a file of a test, in a folder that need not be there.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// unzipped is the text of all files of a trace, and the colours of the pictures in it, in a
// corner that no element covers. A document that is slow to draw is white before.
func unzipped(t *testing.T, path string) (all []byte, colours string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	seen := map[string]bool{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, f.Name...), text...)
		if picture, err := jpeg.Decode(bytes.NewReader(text)); err == nil {
			if c := cornerOf(picture); c != "white" {
				seen[c] = true
			}
		}
	}
	for c := range seen {
		colours += c
	}
	return all, colours
}

func cornerOf(p image.Image) string {
	b := p.Bounds()
	switch c := color.RGBAModel.Convert(p.At(b.Max.X-5, b.Max.Y-5)).(color.RGBA); {
	case c.R > 200 && c.G < 60 && c.B < 60:
		return "red"
	case c.B > 200 && c.R < 60 && c.G < 60:
		return "blue"
	case c.R > 240 && c.G > 240 && c.B > 240:
		return "white"
	default:
		return fmt.Sprint(c)
	}
}
