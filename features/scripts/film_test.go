//go:build evidence

package scripts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Scripts record films with Playwright's API. A film is complete when its context
// is closed, and shows the page's states in order.
func TestFilmsOfScripts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVideoChapters of tests/eachtool is quick")
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
		await Promise.all([c.close(), q.video().saveAs(dir + '/copy.webm')]);
		await other.video().delete();
		return [await q.video().path(), await other.video().path(), page.video()]`, dir))
	var paths []*string
	if err := json.Unmarshal([]byte(said), &paths); err != nil || len(paths) != 3 || paths[2] != nil {
		t.Fatal(said, err)
	}
	film, copied := readFile(t, *paths[0]), readFile(t, filepath.Join(dir, "copy.webm"))
	if !bytes.Equal(film, copied) || filepath.Dir(*paths[0]) != filepath.Join(dir, "films") {
		t.Errorf("%s is not %s", *paths[0], filepath.Join(dir, "copy.webm"))
	}
	if _, err := os.Stat(*paths[1]); err == nil {
		t.Errorf("%s is still there", *paths[1])
	}
	if filepath.Ext(*paths[0]) != ".webm" {
		t.Errorf("the film is %s", *paths[0])
	}
	if got := pipetest.PlayFilm(t, *paths[0]); got.Width != 200 || got.Height != 150 || !strings.Contains(got.Colours, "red blue green") {
		t.Errorf("the film shows %+v", got)
	}
	if got := pipetest.Execute(p, fmt.Sprintf(`const dir = %q, c = await browser.newContext({ recordVideo: { dir } }), q = await c.newPage();
		await q.goto('/form');
		await q.waitForTimeout(500); // wait for a picture
		require('fs').rmSync(dir, { recursive: true });
		return (await Promise.all([q.video().saveAs(dir + '.webm').catch(e => e.message), c.close()]))[0]`, filepath.Join(dir, "gone"))); !strings.Contains(got, "ENOENT") {
		t.Errorf("a film whose folder has gone: %s", got)
	}
	if got := pipetest.Execute(p, `await browser.newContext({ recordVideo: { dir: '/elsewhere/films' } }).then(() => 0, e => e.message)`); !strings.Contains(got, "EACCES") {
		t.Errorf("a film in a folder that is not allowed: %s", got)
	}
	copied2 := filepath.Join(dir, "without.webm")
	pipetest.Execute(p, fmt.Sprintf(`const c = await browser.newContext({ recordVideo: {} }), q = await c.newPage();
		await q.goto('/form');
		await q.waitForTimeout(200);
		await Promise.all([q.video().saveAs(%q), c.close()])`, copied2))
	if got := readFile(t, copied2); !bytes.HasPrefix(got, []byte("\x1a\x45\xdf\xa3")) {
		t.Errorf("a film without a folder is %.20q", got)
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
