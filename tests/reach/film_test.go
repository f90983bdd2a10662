package reach

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilmsOfSomebodysBrowser: an attached browser gets no page of ours, which its
// person would see. Its films are made of JPEG pictures.
func TestFilmsOfSomebodysBrowser(t *testing.T) {
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
	if got := pipetest.AVIColours(t, film); !strings.Contains(got, "red blue green") {
		t.Errorf("the film shows %s", got)
	}
}
