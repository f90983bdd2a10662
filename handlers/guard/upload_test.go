package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// Uploading a folder follows its links. If one leads outside, the page gets
// nothing of the folder, by any tool.
func TestUploadedFolders(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFiles is quick")
	t.Parallel()
	p, in := pipetest.SharedIn(t)
	folder, out := filepath.Join(in, "folder"), t.TempDir()
	for _, dir := range []string{filepath.Join(folder, "deep"), out} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(folder, "own.txt"), filepath.Join(in, "beside.txt"), filepath.Join(out, "secret.txt")} {
		if err := os.WriteFile(file, []byte("of "+filepath.Base(file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.Call("nav", []any{"/form"})
	p.Call("eval", []any{`document.body.innerHTML = '<input id=d type=file webkitdirectory>'; 0`})
	chosen := func() string {
		return p.Call("eval", []any{`[...document.querySelector('#d').files].map((f) => f.name).sort().join()`})
	}
	link := filepath.Join(folder, "deep", "link")
	climbing, err := filepath.Rel(filepath.Dir(link), filepath.Join(out, "secret.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{filepath.Join(out, "secret.txt"), out, climbing, filepath.Join(in, "beside.txt"), filepath.Join(in, "nothing")} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		pipetest.Has(t, p.Fail("upload", []any{"#d", folder}), "upload: files: ", link, "leads out of the folder")
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.setInputFiles('#d', '" + folder + "')"}), link, "leads out of the folder")
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "const [c] = await Promise.all([page.waitForEvent('filechooser'), page.click('#d')]); await c.setFiles('" + folder + "')"}), link, "leads out of the folder")
		if got := chosen(); got != `""` {
			t.Errorf("a folder with a link to %s: the page has %s", to, got)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../own.txt", link); err != nil {
		t.Fatal(err)
	}
	p.Call("upload", []any{"#d", folder})
	if got := chosen(); got != `"link,own.txt"` && got != `"own.txt"` {
		t.Errorf("a folder with a link to its own file: the page has %s", got)
	}
}
