package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClosedFolder: a folder with results is closed below an allowed one, and open where it is allowed itself.
func TestClosedFolder(t *testing.T) {
	before := limits.Load()
	t.Cleanup(func() { limits.Store(before); closedFolders.list = nil })
	allowed := t.TempDir()
	results := filepath.Join(allowed, "results")
	if err := errors.Join(os.Mkdir(results, 0o700), CloseFolder(results)); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]bool{allowed: true, results: false} {
		if err := LimitFiles([]string{root}, ""); err != nil {
			t.Fatal(err)
		}
		if closed := closedFile(filepath.Join(results, "a.zip")); closed != want {
			t.Errorf("%s is allowed: closed %t", root, closed)
		}
	}
}

// TestKeepPrivate: a private file is in no allowed folder, now and later, by a link either. The root is not allowed.
func TestKeepPrivate(t *testing.T) {
	before := limits.Load()
	t.Cleanup(func() { limits.Store(before) })
	allowed, other := t.TempDir(), t.TempDir()
	for _, dir := range []string{allowed, other} {
		if err := os.WriteFile(filepath.Join(dir, "a.key"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link.key")
	if err := os.Symlink(filepath.Join(allowed, "a.key"), link); err != nil {
		t.Skip(err)
	}
	if err := LimitFiles([]string{allowed}, ""); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(allowed, "a.key"), link} {
		if err := KeepPrivate(path); err == nil || !strings.Contains(err.Error(), "scripts and uploads") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := KeepPrivate(filepath.Join(other, "a.key")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{other: "a.key", filepath.Dir(other): "a.key"} {
		if err := AllowFolder(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s was allowed: %v", dir, err)
		}
	}
	t.Chdir("/")
	err := errors.Join(AllowFolder(t.TempDir()), LimitFiles(nil, ""), AllowFolder("/"))
	if err != nil || InForce().rootOf("/") != "" {
		t.Errorf("%v, of the whole file system %v", err, InForce().Roots)
	}
}
