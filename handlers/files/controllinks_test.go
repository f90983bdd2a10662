package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFoldersOfLinksToControlFiles: a folder with a link on the way to a control file is not for clients to move or
// remove: one of their own in its place would lead pwpipe to another file.
func TestFoldersOfLinksToControlFiles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, folder := range []string{"first", "second", "real", "open"} {
		if err := os.Mkdir(at(folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at("real/secrets.env"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"first/s.env": at("second/s.env"), "second/s.env": "../real/secrets.env"} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip(err)
		}
	}
	if err := CloseControl(at("first/s.env")); err != nil {
		t.Fatal(err)
	}
	for name, holds := range map[string]bool{"first": true, "second": true, "real": true, "open": false} {
		if HoldsOthers(at(name)) != holds {
			t.Errorf("%s has a part of the way to a control file: %t", name, !holds)
		}
	}
	for _, path := range []string{"first/s.env", "second/s.env", "real/secrets.env"} {
		if !IsClosed(at(path)) {
			t.Errorf("%s is open", path)
		}
	}
}
