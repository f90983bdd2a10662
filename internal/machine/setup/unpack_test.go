package setup

import (
	"archive/tar"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnsafeArchives(t *testing.T) {
	link := func(kind byte, name, to string) entry {
		return entry{tar.Header{Name: name, Linkname: to, Typeflag: kind}, ""}
	}
	for name, entries := range map[string][]entry{
		"dot dot":           {file("../evil", "x")},
		"inner dot dot":     {file("package/../../evil", "x")},
		"tidy dot dot":      {file("package/../evil", "x")},
		"absolute":          {file("/evil", "x")},
		"backslash":         {file(`..\evil`, "x")},
		"symbolic link":     {link(tar.TypeSymlink, "package", "/"), file("package/evil", "x")},
		"link inside":       {link(tar.TypeSymlink, "package/a", "b")},
		"hard link":         {link(tar.TypeLink, "evil", "/etc/passwd")},
		"device":            {link(tar.TypeChar, "evil", "")},
		"the same name":     {file("evil", "x"), file("evil", "y")},
		"file, then folder": {file("evil", "x"), file("evil/evil", "y")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			src := filepath.Join(dir, "a.tgz")
			if err := os.WriteFile(src, tgz(t, entries...), 0o644); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "in", "out")
			if err := os.MkdirAll(out, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := unpackPlain(context.Background(), src, out); err == nil {
				t.Error("no error")
			}
			for _, at := range []string{dir, filepath.Dir(out)} {
				if _, err := os.Stat(filepath.Join(at, "evil")); err == nil {
					t.Errorf("wrote to %s", at)
				}
			}
		})
	}
}

func TestTruncatedArchive(t *testing.T) {
	dir := t.TempDir()
	data := tgz(t, file("package/a", strings.Repeat("abc", 1000)))
	src := filepath.Join(dir, "a.tgz")
	if err := os.WriteFile(src, data[:len(data)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unpackPlain(context.Background(), src, t.TempDir()); err == nil {
		t.Error("no error")
	}
}

func TestExecutableBit(t *testing.T) {
	dir := t.TempDir()
	run := file("bin/run", "x")
	run.Mode = 0o777
	src := filepath.Join(dir, "a.tgz")
	if err := os.WriteFile(src, tgz(t, run, file("bin/read", "x")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unpackPlain(context.Background(), src, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"run": true, "read": false} {
		st, err := os.Stat(filepath.Join(dir, "bin", name))
		if err != nil || st.Mode()&0o100 != 0 != want {
			t.Errorf("%s: %v %v", name, st, err)
		}
	}
}

func TestPins(t *testing.T) {
	for _, r := range []release{driverRelease, chromiumRelease, axeRelease, testRelease} {
		hash, ok := strings.CutPrefix(r.Integrity, "sha512-")
		sum, err := base64.StdEncoding.DecodeString(hash)
		if !ok || err != nil || len(sum) != 64 {
			t.Errorf("%s: integrity %q", r.Name, r.Integrity)
		}
		if r.Key == "" || r.Title == "" || r.Packed == 0 || r.Unpacked < r.Packed || strings.Contains(r.Folder, "/") {
			t.Errorf("%+v", r)
		}
	}
}
