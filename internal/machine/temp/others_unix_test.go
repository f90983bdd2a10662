//go:build unix

package temp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLeftOfOthers: the folder of another user's killed run is not ours to remove.
func TestLeftOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives folders away")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	own, theirs := filepath.Join(dir, RunPrefix+"99999999-1"), filepath.Join(dir, RunPrefix+"99999999-2")
	if err := errors.Join(os.Mkdir(own, 0o700), os.Mkdir(theirs, 0o700), os.Chown(theirs, 54321, -1)); err != nil {
		t.Skip(err)
	}
	if left := Left(); !slices.Equal(left, []string{own}) {
		t.Errorf("%q", left)
	}
}
