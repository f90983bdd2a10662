package pictures

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type m = pipetest.Object

// TestMake makes the pictures that need a browser. Asked for by its name, with -update, it writes
// them to docs/images: not with all else that -update writes, since no two pictures of clocks are
// the same. Each night it shows that they can be made.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	if pipetest.Update() {
		if !strings.Contains(flag.Lookup("test.run").Value.String(), "TestMake") {
			t.Skip("go test ./tests/pictures -run TestMake -update makes the pictures anew")
		}
		var err error
		if dir, err = filepath.Abs(images); err != nil {
			t.Fatal(err)
		}
	} else {
		pipetest.Nightly(t, "TestPictures looks at the files that it has made")
	}
	for name, make := range map[string]func(t *testing.T, file string){
		"outline.png": makeOutline, "live.png": makeLive, "report.png": makeReport,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name)
			make(t, file)
			pack(t, file)
			if info, err := os.Stat(file); err != nil || info.Size() > largest {
				t.Errorf("%v, %v", info, err)
			}
		})
	}
}

// pack encodes a picture anew, in its 256 most frequent colours: pwpipe's are encoded fast, and so
// larger.
func pack(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.Color]int{}
	at := picture.Bounds()
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			count[picture.At(x, y)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	flat := image.NewPaletted(at, frequent[:min(256, len(frequent))])
	draw.Draw(flat, at, picture, at.Min, draw.Src)
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := errors.Join(encoder.Encode(&small, flat), os.WriteFile(file, small.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// makeOutline is a screenshot with labels, beside the outline that has the same refs.
func makeOutline(t *testing.T, file string) {
	p := pipetest.StartSite(t, "--allow-dir", filepath.Dir(file), "--allow-dir", t.TempDir())
	p.Call("viewport", m{"width": 620, "height": 480})
	p.Call("nav", m{"url": "/login"})
	a := pipetest.Get[struct{ Base64, Snapshot string }](p, "screenshot", m{"labels": true})
	raw, err := base64.StdEncoding.DecodeString(a.Base64)
	if err != nil || len(raw) == 0 {
		t.Fatal(err)
	}
	at := pipetest.ServePages(t, map[string]string{"/": `<!doctype html><meta charset="utf-8"><style>
		body { margin: 0; padding: 16px; display: grid; grid-template-columns: 620px 1fr; gap: 16px; background: #f6f6f3; font: 13px/1.5 monospace; color: #1d2220 }
		img { border: 1px solid #dcdfda; border-radius: 6px; width: 620px } pre { margin: 0; padding: 10px 14px; background: #fff; border: 1px solid #dcdfda; border-radius: 6px; font: inherit; white-space: pre-wrap }
		</style><img src="data:image/png;base64,` + a.Base64 + `"><pre>` + html.EscapeString(a.Snapshot) + `</pre>`})
	p.Call("viewport", m{"width": 1200, "height": 514})
	p.Call("nav", m{"url": at})
	p.Call("shot", m{"path": file})
}

// makeLive is the page for people, with three sessions at work.
func makeLive(t *testing.T, file string) {
	s := pipetest.StartService(t, "OPERATOR_KEY=choose-one")
	var last pipetest.Session
	for i, name := range []string{"Book the ferry", "Compare lamps", "Order 1042"} {
		last = s.Open(m{"name": name})
		last.On("page.goto", m{"url": []string{"/article", "/shop", "/login"}[i]})
	}
	last.On("page.fill", m{"selector": "[name=email]", "value": "ada@mail.example"})
	last.On("page.fill", m{"selector": "[name=password]", "value": "secret"})
	last.On("page.click", m{"selector": "[type=submit]"})
	last.On("wait", m{"sel": ".dashboard"})
	last.On("txt", m{"sel": "h1"})
	last.Try("click", last.With(m{"sel": "#pay", "timeout": 2}))
	p := pipetest.Start(t, "--allow-dir", filepath.Dir(file))
	p.Call("viewport", m{"width": 1440, "height": 800})
	p.Call("nav", m{"url": s.URL + "/watch/login"})
	p.Call("fill", m{"sel": "#key", "val": "choose-one"})
	p.Call("click", m{"sel": "text=Log in >> nth=-1"})
	p.Call("click", m{"sel": "#sessions a:has-text('Order 1042')"})
	p.Call("wait", m{"sel": "canvas.lit"})
	p.Call("wait", m{"sel": "#panel tr[data-is=bad]"})
	// Whatever is in the table is in view: no column is cut at the right.
	if got := p.Call("eval", m{"code": "((p) => p.scrollWidth - p.clientWidth)(document.querySelector('#panel'))"}); got != "0" {
		t.Errorf("the table of calls is %s pixels wider than its place", got)
	}
	p.Call("shot", m{"path": file})
}

// makeReport is what `pwpipe run --html` writes of two files, one of which fails.
func makeReport(t *testing.T, file string) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"login.ndjson": `{"method":"nav","params":["/login"]}
{"method":"fill","params":["[name=email]","ada@mail.example"]}
{"method":"fill","params":["[name=password]","secret"]}
{"method":"click","params":["[type=submit]"]}
{"method":"wait","params":[".dashboard"]}
`,
		"shop.ndjson": `{"method":"nav","params":["/login"]}
{"method":"expect-text","params":["h1","Basket"],"timeout":2}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(pipetest.Binary(t), "run", "--site", "--html", "report.html", "login.ndjson", "shop.ndjson")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	p := pipetest.Start(t, "--allow-dir", filepath.Dir(file))
	p.Call("viewport", m{"width": 900, "height": 700})
	p.Call("nav", m{"url": pipetest.ServePages(t, map[string]string{"/": string(report)})})
	p.Call("shot", m{"path": file})
}
