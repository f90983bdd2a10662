//go:build unix

package writefile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesAreNotAwaited: a FIFO is neither read nor written.
func TestPipesAreNotAwaited(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Config(pipe); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
	if f, err := Append(pipe, Private); !errors.Is(err, ErrNotRegular) {
		t.Error(f, err)
	}
}

// TestOwners: a file that root replaces stays its owner's, and what root makes in a user's
// folder is the user's.
func TestOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	const user, group = 54321, 54322
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	put(t, file, "old", 0o600)
	if err := errors.Join(os.Chown(dir, user, group), os.Chown(file, user, group)); err != nil {
		t.Skip(err)
	}
	deep := filepath.Join(dir, "deep", "er")
	err := errors.Join(Edit(file, []byte("old"), []byte("new"), Public, MaxConfig), Folders(deep),
		Edit(filepath.Join(deep, "made"), nil, []byte("new"), Private, MaxConfig))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, deep, filepath.Dir(deep), filepath.Join(deep, "made")} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if of := info.Sys().(*syscall.Stat_t); of.Uid != user || of.Gid != group {
			t.Errorf("%s is of %d:%d", path, of.Uid, of.Gid)
		}
	}
}
