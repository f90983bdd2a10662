package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/machine/writefile"
)

// TestPathsThatEndEarly: a browser ends a path at a NUL, so it would open another
// file than the one that was checked.
func TestPathsThatEndEarly(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/etc/hostname", link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link + "\x00", dir + "/.\x00", os.TempDir() + "/.\x00", dir + "/a\x00b"} {
		if err := MayTouch(path); err == nil || !strings.Contains(err.Error(), "NUL") {
			t.Errorf("MayTouch(%q): %v", path, err)
		}
		if err := MayUpload(path); err == nil {
			t.Errorf("MayUpload(%q) is allowed", path)
		}
	}
	if err := MayTouch(filepath.Join(dir, "new", "file")); err != nil {
		t.Errorf("what is not there yet: %v", err)
	}
	if err := MayUpload(filepath.Join(dir, "new")); err != nil {
		t.Errorf("what is not there: %v", err)
	}
}

// TestSwappedWhileWritten: replacing a folder by a link between the check of a path
// and the write does not redirect the write.
func TestSwappedWhileWritten(t *testing.T) {
	base := t.TempDir()
	place, out := filepath.Join(base, "in", "place"), filepath.Join(base, "out")
	for _, dir := range []string{place, out} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := limits.Load()
	defer limits.Store(before)
	if err := LimitFiles([]string{filepath.Dir(place)}, ""); err != nil {
		t.Fatal(err)
	}
	err := whole(filepath.Join(place, "copy"), writefile.Public, func(f *os.File) error {
		if err := errors.Join(os.Rename(place, place+"-"), os.Symlink(out, place)); err != nil {
			t.Skip(err)
		}
		_, err := f.WriteString("x")
		return err
	})
	if list, _ := os.ReadDir(out); err == nil || len(list) > 0 {
		t.Errorf("%v; written outside: %v", err, list)
	}
}
