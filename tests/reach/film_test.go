//go:build evidence

package reach

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilmsOfSomebodysBrowser: an attached browser gets no page of ours, which its
// person would see. Its films are made of JPEG pictures.
func TestFilmsOfSomebodysBrowser(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVideoChapters of tests/eachtool is quick")
	t.Parallel()
	c, dir := startChrome(t, "0"), t.TempDir()
	p := pipetest.Start(t, append(cdp(c), "--base-url", pipetest.Site(t))...)
	p.Call("nav", map[string]any{"url": "/clock"})
	pipetest.Has(t, p.Fail("video-start", []any{filepath.Join(dir, "film.webm")}), "this browser can't make a .webm", ".avi")
	if _, err := os.Stat(filepath.Join(dir, "film.webm")); err == nil {
		t.Error("a file is left of a film that there is not")
	}
	p.Call("video-start", []any{filepath.Join(dir, "film")})
	p.Call("expect-text", []any{"#ticks", "2"})
	if got := p.Text("video-stop", nil); got != filepath.Join(dir, "film.avi") {
		t.Errorf("the film is %s", got)
	}
	said := pipetest.Execute(p, fmt.Sprintf(`const c = await browser.newContext({ viewport: { width: 400, height: 300 }, recordVideo: { dir: %q, size: { width: 200, height: 150 } } }), q = await c.newPage();
		for (const colour of ['rgb(200, 0, 0)', 'rgb(0, 0, 200)', 'rgb(0, 200, 0)']) {
			await q.evaluate((colour) => { document.body.replaceChildren(); document.documentElement.style.background = document.body.style.background = colour; }, colour);
			await q.waitForTimeout(300);
		}
		await c.close();
		return await q.video().path()`, filepath.Join(dir, "films")))
	var path string
	if err := json.Unmarshal([]byte(said), &path); err != nil || filepath.Ext(path) != ".avi" {
		t.Fatal(said, err)
	}
	film, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := aviColours(t, film); !strings.Contains(got, "red blue green") {
		t.Errorf("the film shows %s", got)
	}
}

// aviColours names the colour in the middle of each picture of a film of 200 by 150.
// The film must be an AVI file of Motion JPEG with a complete index.
func aviColours(t *testing.T, avi []byte) string {
	t.Helper()
	var names []string
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(avi[at:])) }
	const movie = 220 // the place of "movi"
	if len(avi) < movie+4 || string(avi[:4])+string(avi[8:12])+string(avi[movie:movie+4]) != "RIFFAVI movi" || u32(4) != len(avi)-8 {
		t.Fatalf("%d bytes, %.300q", len(avi), avi)
	}
	index := movie + u32(movie-4)
	if string(avi[index:index+4]) != "idx1" || u32(index+4) != len(avi)-index-8 || u32(index+4) != 16*u32(48) {
		t.Fatalf("no index of %d pictures: %q", u32(48), avi[index:min(len(avi), index+40)])
	}
	for at := index + 8; at < len(avi); at += 16 {
		chunk, size := movie+u32(at+8), u32(at+12)
		if string(avi[chunk:chunk+4]) != "00dc" || u32(chunk+4) != size {
			t.Fatalf("no picture at %d: %q", chunk, avi[chunk:chunk+8])
		}
		if size == 0 { // the previous picture stays
			names = append(names, names[len(names)-1])
			continue
		}
		picture, err := jpeg.Decode(bytes.NewReader(avi[chunk+8 : chunk+8+size]))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != u32(64) || b.Dy() != u32(68) || b.Dx() != 200 {
			t.Errorf("a picture of %v in a film of %d x %d", b, u32(64), u32(68))
		}
		names = append(names, nameOf(color.RGBAModel.Convert(picture.At(100, 75)).(color.RGBA)))
	}
	return strings.Join(slices.Compact(names), " ")
}

func nameOf(c color.RGBA) string {
	for name, is := range map[string]bool{"red": c.R > 150 && c.G < 60 && c.B < 60, "green": c.G > 150 && c.R < 60 && c.B < 60, "blue": c.B > 150 && c.R < 60 && c.G < 60} {
		if is {
			return name
		}
	}
	return fmt.Sprint(c)
}
