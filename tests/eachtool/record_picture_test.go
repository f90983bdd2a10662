package eachtool_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func decodeFile(t *testing.T, path string) (size image.Point, format string, bytes int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size, format = decodeImage(t, data)
	return size, format, len(data)
}

func decodeImage(t *testing.T, data []byte) (image.Point, string) {
	t.Helper()
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return image.Pt(c.Width, c.Height), format
}

const tallPage = `<style>body{margin:0}#tall{height:2000px;background:repeating-linear-gradient(33deg,#c00,#0c0 7px,#00c 13px)}</style><button id=b>Press</button><div id=tall></div>`

func TestShotWholePageAndQuality(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": tallPage})
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("shot", list(path("view.png")), ""),
		does("shot", pipetest.Object{"path": path("full.jpg"), "full": true}, ""),
		does("shot", pipetest.Object{"path": path("low.JPEG"), "full": true, "quality": 5}, ""),
		does("shot", pipetest.Object{"path": path("x.jpg"), "quality": 101}, "!quality: expected a number from 1 to 100"),
	)
	size, format, _ := decodeFile(t, path("view.png"))
	if size.Y != 720 || format != "png" {
		t.Errorf("view.png: %v %s", size, format)
	}
	full, format, bytes := decodeFile(t, path("full.jpg"))
	if full.Y < 2000 || full.X != 1280 || format != "jpeg" {
		t.Errorf("full.jpg: %v %s", full, format)
	}
	if low, format, less := decodeFile(t, path("low.JPEG")); low != full || format != "jpeg" || less >= bytes/2 {
		t.Errorf("low.JPEG: %v %s, %d bytes of %d", low, format, less, bytes)
	}
}

// TestOneScreenshotTool: screenshot takes the parameters of seed 000 and of seed
// 003, in every profile.
func TestOneScreenshotTool(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	type answer struct{ MIME, Base64, Path, Snapshot string }
	for _, profile := range pipetest.Sample([]string{"core", "rpc", "agent,rpc", "agent"}, 4) {
		p := pipetest.Shared(t) // core is what there is without the flag
		if profile != "core" {
			p = pipetest.Start(t, "--profile", profile)
		}
		dir := t.TempDir()
		p.Call("nav", list(pipetest.ServePages(t, map[string]string{"/": tallPage})))
		picture := func(params pipetest.Object) (answer, image.Point, string) {
			t.Helper()
			a := pipetest.Decode[answer](t, p.Call("screenshot", params))
			if a.Base64 == "" {
				return a, image.Point{}, ""
			}
			data, err := base64.StdEncoding.DecodeString(a.Base64)
			if err != nil {
				t.Fatal(err)
			}
			size, format := decodeImage(t, data)
			return a, size, format
		}
		a, size, format := picture(pipetest.Object{"fullPage": true, "mime": "image/jpeg"}) // as in seed 000
		if a.MIME != "image/jpeg" || format != "jpeg" || size.Y < 2000 || a.Snapshot != "" {
			t.Errorf("%s: %+v %v %s", profile, a.MIME, size, format)
		}
		if a, size, format = picture(nil); a.MIME != "image/png" || format != "png" || size != image.Pt(1280, 720) {
			t.Errorf("%s: plain: %s %v %s", profile, a.MIME, size, format)
		}
		if a, size, _ = picture(pipetest.Object{"labels": true}); !strings.Contains(a.Snapshot, `button "Press" [ref=e`) || size.Y != 720 { // as in seed 003
			t.Errorf("%s: labelled: %v %s", profile, size, a.Snapshot)
		}
		if _, size, _ = picture(pipetest.Object{"selector": "#b", "max": 10}); size.Y > 100 {
			t.Errorf("%s: of an element: %v", profile, size)
		}
		pipetest.Steps(p,
			does("screenshot", pipetest.Object{"path": filepath.Join(dir, "a.jpg"), "quality": 10}, `{"path":"`+filepath.Join(dir, "a.jpg")+`"}`),
			does("screenshot", pipetest.Object{"path": filepath.Join(dir, "a.jpg"), "mime": "image/png"}, "!a.jpg is no image/png"),
			does("screenshot", pipetest.Object{"quality": 10}, "!quality: only a JPEG has one"),
			does("screenshot", pipetest.Object{"mime": "image/gif"}, "!mime: expected one of image/png, image/jpeg"),
		)
		if _, format, _ := decodeFile(t, filepath.Join(dir, "a.jpg")); format != "jpeg" {
			t.Errorf("%s: a.jpg is %s", profile, format)
		}
		if profile == "core" {
			// At half the size, on turned paper, the page takes two sheets; the second is printed.
			file := filepath.Join(dir, "a.pdf")
			p.Call("pdf", pipetest.Object{"path": file, "format": "A5", "landscape": true, "scale": 0.5, "pages": "2-"})
			data, _ := os.ReadFile(file)
			got := regexp.MustCompile(`/Count \d+|MediaBox \[0 0 \d+`).FindAllString(string(data), -1)
			if strings.Join(got, " ") != "MediaBox [0 0 595 /Count 1" {
				t.Errorf("the PDF has %q", got)
			}
			// On a finer screen a picture has the page's sizes too, but a file of shot the screen's.
			fine := p.Text("open-ctx", pipetest.Object{"scale": 2, "width": 400, "height": 300})
			p.Call("new-page", pipetest.Object{"ctx": fine, "use": true})
			p.Call("eval", list("void (document.body.innerHTML = '<p id=b style=\"width: 50px; height: 40px\">')"))
			for sel, want := range map[string]image.Point{"": {X: 400, Y: 300}, "#b": {X: 50, Y: 40}} {
				if _, size, _ := picture(pipetest.Object{"selector": sel, "mime": "image/jpeg"}); size != want {
					t.Errorf("of %q at scale 2: %v", sel, size)
				}
			}
			p.Call("shot", list(filepath.Join(dir, "fine.png")))
			p.Call("expect-shot", pipetest.Object{"path": filepath.Join(dir, "expected.png"), "update": true})
			for name, width := range map[string]int{"fine.png": 800, "expected.png": 400} {
				if size, _, _ := decodeFile(t, filepath.Join(dir, name)); size.X != width {
					t.Errorf("%s at scale 2: %v", name, size)
				}
			}
			continue
		}
		p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		p.Line()
		p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		line := p.Line()
		if n := strings.Count(line, `"name":"screenshot"`); n != 1 {
			t.Errorf("%s lists screenshot %d times", profile, n)
		}
		p.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"screenshot","arguments":{}}}`)
		var r struct {
			Result struct {
				Content []struct{ Type, MimeType string }
			}
		}
		if err := json.Unmarshal([]byte(p.Line()), &r); err != nil || len(r.Result.Content) != 1 || r.Result.Content[0].Type != "image" {
			t.Errorf("%s over MCP: %+v %v", profile, r, err)
		}
	}
}

func TestNewPageMayBecomeActive(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("new-page", list("c1"), `"p2"`),
		does("title", nil, `"Form | Skerry"`),
		does("new-page", pipetest.Object{"ctx": "c1", "use": true}, `"p3"`),
		does("title", nil, `""`),
		does("close-page", list("p3"), "null"),
		does("title", nil, `"Form | Skerry"`),
	)
}
