//go:build evidence

package agent_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// dotted is a page with a small red button at a known place.
const dotted = `<!doctype html><style>body{margin:0;background:#fff}
button{position:absolute;left:900px;top:500px;width:40px;height:40px;background:#f00;border:0}</style>
<button onclick="document.title='hit'"></button><div id=small style="width:200px;height:100px;background:#0c0"></div>`

type answered struct {
	MIME, Base64, Path string
	Scale              float64
}

func decoded(t *testing.T, b64 string) (image.Image, string) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(b64)
	if err != nil {
		t.Fatal(err)
	}
	picture, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture, format
}

// reds is the middle of what is red.
func reds(picture image.Image) (x, y float64) {
	n := 0.0
	for i := range picture.Bounds().Dx() {
		for j := range picture.Bounds().Dy() {
			if r, g, b, _ := picture.At(i, j).RGBA(); r > 0xc000 && g < 0x4000 && b < 0x4000 {
				x, y, n = x+float64(i)+0.5, y+float64(j)+0.5, n+1
			}
		}
	}
	return x / n, y / n
}

// TestMaxImage: larger pictures are scaled down, and a place in one divided by its scale is the
// place on the page. Smaller ones, and files, stay as they are.
func TestMaxImage(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": dotted})
	p := pipetest.StartOn(t, site+"/", "--max-image", "320")
	for _, mime := range []string{"image/png", "image/jpeg"} {
		got := pipetest.Get[answered](p, "screenshot", pipetest.Object{"mime": mime})
		picture, format := decoded(t, got.Base64)
		if size := picture.Bounds().Size(); size != image.Pt(320, 180) || "image/"+format != mime || got.Scale != 0.25 {
			t.Errorf("%s: %v, %s, scale %v", mime, size, format, got.Scale)
		}
		x, y := reds(picture)
		p.Call("eval", pipetest.List("document.title = ''"))
		p.Call("mouse-click", pipetest.List(x/got.Scale, y/got.Scale))
		if title := p.Call("title", nil); title != `"hit"` {
			t.Errorf("%s: a click at %v, %v of the picture missed", mime, x, y)
		}
	}
	small := pipetest.Get[answered](p, "screenshot", pipetest.Object{"selector": "#small"})
	picture, _ := decoded(t, small.Base64)
	if size := picture.Bounds().Size(); size != image.Pt(200, 100) || small.Scale != 0 {
		t.Errorf("a small picture is %v, scale %v", size, small.Scale)
	}
	file := filepath.Join(t.TempDir(), "whole.png")
	if got := pipetest.Get[answered](p, "screenshot", pipetest.Object{"path": file}); got.Scale != 0 {
		t.Errorf("a file has scale %v", got.Scale)
	}
	var r struct{ Images []answered }
	code := "[await page.screenshot(), await page.locator('#small').screenshot()]"
	if err := json.Unmarshal([]byte(p.Call("execute", pipetest.Object{"code": code})), &r); err != nil || len(r.Images) != 2 {
		t.Fatalf("%v, %d pictures", err, len(r.Images))
	}
	first, second := r.Images[0], r.Images[1]
	if picture, _ := decoded(t, first.Base64); picture.Bounds().Dx() != 320 || first.Scale != 0.25 || second.Scale != 0 {
		t.Errorf("pictures of a script: %v, scales %v and %v", picture.Bounds(), first.Scale, second.Scale)
	}
	p.Complains("a picture of 30000 by 30000 pixels is too large", "execute",
		pipetest.Object{"code": "Buffer.from('" + base64.StdEncoding.EncodeToString(bomb(30_000)) + "', 'base64')"})
}

// bomb is the beginning of a PNG that says it is large.
func bomb(side uint32) []byte {
	head := []byte("IHDR")
	head = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(head, side), side)
	head = append(head, 8, 6, 0, 0, 0)
	all := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(head))
}

// TestMaxImageSaysTheScale: over MCP a text beside the picture has the factor.
func TestMaxImageSaysTheScale(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := pipetest.StartOn(t, "/login", "--profile", "agent", "--max-image", "640")
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	const note = "(the picture is scaled by 0.5: divide coordinates in it by that)"
	for name, args := range map[string]string{"screenshot": "{}", "execute": `{"code":"await page.screenshot()"}`} {
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`)
		var r struct {
			Result struct {
				Content []struct{ Type, Text, Data string }
			}
		}
		if err := json.Unmarshal([]byte(p.Line()), &r); err != nil {
			t.Fatal(err)
		}
		c := r.Result.Content
		if len(c) < 2 || c[0].Type != "image" || !strings.HasSuffix(c[1].Text, note) {
			t.Fatalf("%s: %.300v", name, r)
		}
		if picture, _ := decoded(t, c[0].Data); picture.Bounds().Size() != image.Pt(640, 360) {
			t.Errorf("%s: the picture is %v", name, picture.Bounds())
		}
	}
}
