package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLinksIntoControlFolders: a second name of a file of a control folder is closed, and a second
// name of another file is not.
func TestLinksIntoControlFolders(t *testing.T) {
	dir := t.TempDir()
	folder, open := filepath.Join(dir, "cache", "deep"), filepath.Join(dir, "open.txt")
	control := filepath.Join(folder, "driver.js")
	for _, err := range []error{os.MkdirAll(folder, 0o700), os.WriteFile(control, nil, 0o600), os.WriteFile(open, nil, 0o600),
		CloseControl(filepath.Join(dir, "cache"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	link, other := filepath.Join(dir, "link.txt"), filepath.Join(dir, "other.txt")
	if err := os.Link(control, link); err != nil {
		t.Skip(err)
	}
	if err := os.Link(open, other); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(link)
	if err != nil {
		t.Fatal(err)
	}
	if names(info) < 2 {
		t.Skip("the system does not say how many names a file has")
	}
	for path, closed := range map[string]bool{link: true, control: true, open: false, other: false} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if IsClosed(path) != closed || IsOpenedControl(f) != closed {
			t.Errorf("%s: closed: %t, and opened: %t; want %t", path, IsClosed(path), IsOpenedControl(f), closed)
		}
		_ = f.Close()
	}
}
