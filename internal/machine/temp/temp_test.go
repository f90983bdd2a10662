package temp

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOldDownloads: files of download in the temporary folder are kept for a day
// after they were written.
func TestOldDownloads(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for name, age := range map[string]time.Duration{DownloadPrefix + "old": 25 * time.Hour, DownloadPrefix + "new": 23 * time.Hour, "other": 99 * time.Hour} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(folder, then, then); err != nil {
			t.Fatal(err)
		}
	}
	Sweep()
	for name, kept := range map[string]bool{DownloadPrefix + "old": false, DownloadPrefix + "new": true, "other": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != kept {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShort: a folder with a long path also gets a short path, while it exists or
// until a sweep. Similar names are not removed.
func TestShort(t *testing.T) {
	near := filepath.Join(os.TempDir(), "x")
	if got := Short(near); got != near {
		t.Errorf("%s is %s", near, got)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	for _, swept := range []bool{false, true} {
		dir, err := Make()
		if err != nil {
			t.Fatal(err)
		}
		if swept { // as of a process that does not exist
			gone := filepath.Join(long, RunPrefix+"99999999-1")
			if err := os.Rename(dir, gone); err != nil {
				t.Fatal(err)
			}
			dir = gone
		}
		short := Short(dir)
		if len(short) > longest || Short(dir) != short {
			t.Errorf("%s is %s, %s", dir, short, Short(dir))
		}
		l, err := net.Listen("unix", filepath.Join(short, "org.chromium.Chromium.scoped_dir.123456-SingletonSocket"))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if swept {
			Sweep()
		} else {
			Remove(dir)
		}
		for _, path := range []string{dir, short, filepath.Dir(short)} {
			if _, err := os.Lstat(path); err == nil {
				t.Errorf("%s is left", path)
			}
		}
	}
	mine := filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := Make()
	if err == nil {
		err = os.Symlink(mine, filepath.Join(dir, linkedName))
	}
	if err != nil {
		t.Fatal(err)
	}
	Remove(dir)
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
