package writefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	info, err2 := os.Lstat(path)
	if err = errors.Join(err, err2); err != nil || string(got) != text {
		t.Fatalf("%s: %q, %v; want %q", path, got, err, text)
	}
	if runtime.GOOS != "windows" && info.Mode() != mode {
		t.Errorf("%s: %s, want %s", path, info.Mode(), mode)
	}
}

// leftovers are the names in a folder that begin as our temporary files do.
func leftovers(t *testing.T, dir string) (list []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			list = append(list, e.Name())
		}
	}
	return list
}

// TestModes: a replaced file keeps its mode, and what is private becomes private.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	kept, private := filepath.Join(dir, "kept"), filepath.Join(dir, "private")
	put(t, kept, "old", 0o640)
	put(t, private, "old", 0o644)
	first := func(f *os.File) error { // nobody else reads the new text before it has the old owner
		if info, err := f.Stat(); err != nil || runtime.GOOS != "windows" && info.Mode() != Private {
			t.Errorf("it begins as %s, %v", info.Mode(), err)
		}
		_, err := f.WriteString("new")
		return err
	}
	if err := errors.Join(Whole(kept, Public, first), Bytes(private, []byte("new"), Private),
		Bytes(filepath.Join(dir, "first"), []byte("new"), Private)); err != nil {
		t.Fatal(err)
	}
	holds(t, kept, "new", 0o640)
	holds(t, private, "new", 0o600)
	holds(t, filepath.Join(dir, "first"), "new", 0o600)
	opened := filepath.Join(dir, "opened")
	put(t, opened, "old", 0o640)
	f, err := Append(opened, Private)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("line")
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	holds(t, opened, "oldline", 0o600)
	if left := leftovers(t, dir); len(left) > 0 {
		t.Error(left)
	}
}

// TestLinksAreNotFollowed: no kind of write goes through a link at the name, or replaces it.
func TestLinksAreNotFollowed(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	put(t, other, "theirs", 0o600)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	for what, try := range map[string]func() error{
		"whole":  func() error { return Bytes(link, nil, Public) },
		"append": func() error { f, err := Append(link, Public); keep(f, err); return err },
		"new":    func() error { f, err := New(link, Public); keep(f, err); return err },
	} {
		if err := try(); err == nil {
			t.Errorf("%s followed the link", what)
		}
	}
	holds(t, other, "theirs", 0o600)
	if to, err := os.Readlink(link); err != nil || to != other {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// TestSwapped: a link that replaces the name, or a folder that does, while a file is written.
func TestSwapped(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o700); err != nil {
		t.Fatal(err)
	}
	err := Whole(filepath.Join(in, "a"), Public, func(*os.File) error {
		return errors.Join(os.Rename(in, in+"-"), os.Symlink(out, in))
	})
	if list, _ := os.ReadDir(out); len(list) > 0 {
		t.Errorf("%v; written outside: %v", err, list)
	}
	err = Whole(filepath.Join(dir, "b"), Public, func(*os.File) error { return os.Symlink(filepath.Join(out, "b"), filepath.Join(dir, "b")) })
	if !errors.Is(err, ErrLink) {
		t.Errorf("a link that came meanwhile: %v", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	came := func(*os.File) error { return os.WriteFile(filepath.Join(dir, "c"), []byte("theirs"), 0o600) }
	if err := WholeIn(root, "c", Public, came, func() error { return nil }); !errors.Is(err, ErrReplaced) {
		t.Errorf("a file that came meanwhile: %v", err)
	}
	if f, err := OpenIn(root, "c", Public, os.O_EXCL); !errors.Is(err, fs.ErrExist) || f != nil {
		t.Errorf("a new file that is there: %v", err)
	}
	if err := Keep(filepath.Join(dir, "c"), filepath.Join(dir, "in-")); err == nil {
		t.Error("a folder was replaced")
	}
	holds(t, filepath.Join(dir, "c"), "theirs", 0o600)
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("what was not written leaves %s", left)
	}
}

// TestBeside: what has a server's name replaces nothing, and its name is cut to fit.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "package.json"), "theirs", 0o600)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	write := func(name string) string {
		as, err := Beside(root, name, Public, func(name string) bool { return name == "closed" }, Copy(strings.NewReader("theirs?")))
		if err != nil {
			t.Fatalf("%.20s: %v", name, err)
		}
		return as
	}
	for name, want := range map[string]string{"package.json": "package (1).json", "closed": "closed (1)", ".npmrc": "_npmrc",
		strings.Repeat("ä", 300) + ".pdf": strings.Repeat("ä", 125) + ".pdf", strings.Repeat("x", 300): strings.Repeat("x", 255)} {
		if as := write(name); as != want {
			t.Errorf("%.20s is %s, want %s", name, as, want)
		}
	}
	if as := write(strings.Repeat("x", 300)); as != strings.Repeat("x", 251)+" (1)" {
		t.Errorf("a second long name is %s", as)
	}
	holds(t, filepath.Join(dir, "package.json"), "theirs", 0o600)
	for range maxBeside {
		write("r.txt")
	}
	if as, err := Beside(root, "r.txt", Public, nil, Copy(strings.NewReader(""))); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the 101st is %s, %v", as, err)
	}
	holds(t, filepath.Join(dir, "r (99).txt"), "theirs?", 0o644)
	for name, want := range map[string]string{"": "download", "..": "_.", "a/b\\c": "a_b_c", "x\x00\ny": "x__y",
		"x\xffy": "x_y",
		strings.Repeat("x", 200) + "." + strings.Repeat("y", 100): strings.Repeat("x",
			200) + "." + strings.Repeat("y", 54)} {
		if got := Name(name); got != want {
			t.Errorf("Name(%q) is %q, want %q", name, got, want)
		}
	}
}

// TestEdit: an edited file keeps mode, owner and links, and nothing that somebody else wrote
// meanwhile is lost.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	put(t, file, "old", 0o640)
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Edit(link, []byte("old"), []byte("new"), Private, MaxConfig); err != nil {
		t.Fatal(err)
	}
	holds(t, file, "new", 0o640)
	if to, err := os.Readlink(link); to != "file" {
		t.Errorf("the link is gone: %v", err)
	}
	if err := Edit(file, []byte("old"), []byte("lost"), Public, MaxConfig); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that was changed: %v", err)
	}
	if err := Edit(file, nil, []byte("lost"), Public, MaxConfig); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that was made meanwhile: %v", err)
	}
	if err := Edit(file+"-", []byte("old"), []byte("lost"), Public, MaxConfig); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	holds(t, file, "new", 0o640)
}

// TestSweep: what a killed process left is removed, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	names := map[string]bool{".pwpipe-4194999-X": false, ".pwpipe-4194999-Y.json": false, "a.json.new-123": false, "a.json.new-123.1": false,
		".pwpipe-settings": true, "a.json": true, "b.json.new-x": true, tempName(): true}
	for name := range names {
		at := filepath.Join(dir, name)
		put(t, at, "", 0o600)
		if err := os.Chtimes(at, time.Time{}, time.Now().Add(-2*sweepAge)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, ".pwpipe-4194999-young"), "", 0o600)
	names[".pwpipe-4194999-young"] = true
	names[".pwpipe-4194999-folder"] = true
	at := filepath.Join(dir, ".pwpipe-4194999-folder")
	if err := errors.Join(os.Mkdir(at, 0o700), os.Chtimes(at, time.Time{}, time.Now().Add(-2*sweepAge))); err != nil {
		t.Fatal(err)
	}
	Sweep(dir)
	for name, stays := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v, stays: %t", name, err, stays)
		}
	}
}

// TestSweepLeavesOthers: in a folder that is not ours, a file that only looks as older states did stays.
func TestSweepLeavesOthers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"data.json.new-2024", ".pwpipe-4194999-left"} {
		at := filepath.Join(dir, name)
		put(t, at, "", 0o600)
		if err := os.Chtimes(at, time.Time{}, time.Now().Add(-2*sweepAge)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Bytes(filepath.Join(dir, "new"), nil, Public); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "data.json.new-2024")); err != nil {
		t.Error(err)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("%s is not swept", left)
	}
}

// TestConfigIsBounded: special files, large files and deeply nested ones are not read.
func TestConfigIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.json")
	put(t, file, strings.Repeat(" ", MaxConfig+1), 0o600)
	if _, err := Config(file); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Error(err)
	}
	put(t, file, strings.Repeat("[", maxDepth+1), 0o600)
	if _, err := Config(file); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
	put(t, file, strings.Repeat(" ", MaxConfig-2*maxDepth)+strings.Repeat("[", maxDepth)+strings.Repeat("]",
		maxDepth), 0o600)
	if text, err := Config(file); err != nil || len(text) != MaxConfig {
		t.Errorf("as long and as deep as may be: %d, %v", len(text), err)
	}
	if _, err := Config(filepath.Dir(file)); err == nil {
		t.Error("a folder was read")
	}
	for _, small := range []string{"{}", strings.Repeat("[{}]", 2*maxDepth)} {
		put(t, file, small, 0o600)
		if text, err := Config(file); err != nil || string(text) != small {
			t.Errorf("%q, %v", text, err)
		}
	}
}
