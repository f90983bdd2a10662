package temp

import (
	"errors"
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
	file := filepath.Join(dir, DownloadPrefix+"file")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, time.Time{},
		time.Now().Add(-25*time.Hour))); err != nil {
		t.Fatal(err)
	}
	Sweep()
	for name, kept := range map[string]bool{DownloadPrefix + "old": false, DownloadPrefix + "new": true,
		DownloadPrefix + "file": true, "other": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != kept {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShort: a folder with a long path also gets a short path, while it exists or
// until a sweep. Similar names are not removed.
func TestShort(t *testing.T) {
	near := "/tmp/" + strings.Repeat("x", longest-len("/tmp/"))
	if got := Short(near); got != near {
		t.Errorf("%s is %s", near, got)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	running, err := os.MkdirTemp("/tmp", "r")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(running)
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
		runtimeDir := map[bool]string{false: running, true: long}[swept] // one with a long path is of no use
		t.Setenv("XDG_RUNTIME_DIR", runtimeDir)
		short := Short(dir)
		if strings.HasPrefix(short, runtimeDir) == swept {
			t.Errorf("%s is %s, where the folder of the run time is %s", dir, short, runtimeDir)
		}
		within := filepath.Join(dir, "one of several browsers")
		if err := os.Mkdir(within, 0o700); err != nil {
			t.Fatal(err)
		}
		second := Short(within)
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
		for _, path := range []string{dir, short, filepath.Dir(short), second, filepath.Dir(second)} {
			if _, err := os.Lstat(path); err == nil {
				t.Errorf("%s is left", path)
			}
		}
	}
	mine := filepath.Join(t.TempDir(), "t")
	if err := os.Symlink(near, mine); err != nil {
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
	if _, err := os.Lstat(mine); err != nil {
		t.Error(err)
	}
}
