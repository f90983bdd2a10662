package files

import (
	"os"
	"path/filepath"
	"testing"
)

// A copy is made beside existing files and links, in a folder that need not exist,
// and only in allowed folders.
func TestCopyBeside(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, []byte("high"), 0o600); err != nil {
		t.Fatal(err)
	}
	own, others := t.TempDir(), t.TempDir()
	was := InForce()
	t.Cleanup(func() { limits.Store(was) })
	if err := LimitFiles([]string{own}, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(own, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(others, "x"), filepath.Join(own, "new", "r (1).txt")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"new/r.txt", "new/r (2).txt", "new/r (3).txt"} {
		at, err := CopyBeside(filepath.Join(own, "new", "r.txt"), from)
		if text, _ := os.ReadFile(at); err != nil || at != filepath.Join(own, filepath.FromSlash(want)) || string(text) != "high" {
			t.Errorf("%s, %v: %q", at, err, text)
		}
	}
	if at, err := CopyBeside(filepath.Join(own, "not", "there", "r.txt"), from); err != nil {
		t.Error(at, err)
	}
	if at, err := CopyBeside(filepath.Join(others, "r.txt"), from); err == nil {
		t.Error("written at ", at)
	}
	if list, _ := os.ReadDir(others); len(list) > 0 {
		t.Errorf("written beside the allowed folder: %v", list)
	}
}
