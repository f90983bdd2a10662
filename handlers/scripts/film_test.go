package scripts_test

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

// Scripts film what they do as Playwright's API has it: the film is there when the
// context is closed, and shows what the page showed, in that order.
func TestFilmsOfScripts(t *testing.T) {
	t.Parallel()
	p, dir := pipetest.SharedIn(t, "--profile", "agent")
	said := pipetest.Execute(p, fmt.Sprintf(`const dir = %q;
		const c = await browser.newContext({ viewport: { width: 400, height: 300 }, recordVideo: { dir: dir + '/films', size: { width: 200, height: 150 } } });
		const q = await c.newPage(), other = await c.newPage();
		await q.goto('/form');
		for (const colour of ['rgb(200, 0, 0)', 'rgb(0, 0, 200)', 'rgb(0, 200, 0)']) {
			await q.evaluate((colour) => { document.body.replaceChildren(); document.documentElement.style.background = document.body.style.background = colour; }, colour);
			await q.waitForTimeout(200);
		}
		await other.close();
		await Promise.all([c.close(), q.video().saveAs(dir + '/copy.avi')]);
		await other.video().delete();
		return [await q.video().path(), await other.video().path(), page.video()]`, dir))
	var paths []*string
	if err := json.Unmarshal([]byte(said), &paths); err != nil || len(paths) != 3 || paths[2] != nil {
		t.Fatal(said, err)
	}
	film, copied := readFile(t, *paths[0]), readFile(t, filepath.Join(dir, "copy.avi"))
	if !bytes.Equal(film, copied) || filepath.Dir(*paths[0]) != filepath.Join(dir, "films") {
		t.Errorf("%s is not %s", *paths[0], filepath.Join(dir, "copy.avi"))
	}
	if _, err := os.Stat(*paths[1]); err == nil {
		t.Errorf("%s is still there", *paths[1])
	}
	if got := strings.Join(slices.Compact(coloursOf(t, film)), " "); !strings.Contains(got, "red blue green") {
		t.Errorf("the film shows %s", got)
	}
	if got := pipetest.Execute(p, fmt.Sprintf(`const dir = %q, c = await browser.newContext({ recordVideo: { dir } }), q = await c.newPage();
		await q.goto('/form');
		require('fs').rmSync(dir, { recursive: true });
		return (await Promise.all([q.video().saveAs(dir + '.avi').catch(e => e.message), c.close()]))[0]`, filepath.Join(dir, "gone"))); !strings.Contains(got, "ENOENT") {
		t.Errorf("a film whose folder has gone: %s", got)
	}
	if got := pipetest.Execute(p, `await browser.newContext({ recordVideo: { dir: '/elsewhere/films' } }).then(() => 0, e => e.message)`); !strings.Contains(got, "EACCES") {
		t.Errorf("a film in a folder that is not allowed: %s", got)
	}
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// coloursOf names what is in the middle of each picture of a film, which has to be an
// AVI file of Motion JPEG with an index of all of it.
func coloursOf(t *testing.T, avi []byte) (names []string) {
	t.Helper()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(avi[at:])) }
	const movie = 220 // where "movi" is
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
		if size == 0 { // the one before stays
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
	return names
}

func nameOf(c color.RGBA) string {
	for name, is := range map[string]bool{"red": c.R > 150 && c.G < 60 && c.B < 60, "green": c.G > 150 && c.R < 60 && c.B < 60, "blue": c.B > 150 && c.R < 60 && c.G < 60} {
		if is {
			return name
		}
	}
	return fmt.Sprint(c)
}
