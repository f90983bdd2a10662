package files

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// allowing is held while the folders change.
var allowing sync.Mutex

// AllowFolder lets tools touch one more folder from now on: that of a shell command, say.
// The whole file system is no limit, so the root is left out, as it is where it is the
// working directory.
func AllowFolder(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		_, err = os.Stat(real)
	}
	if err != nil {
		return err
	}
	allowing.Lock()
	defer allowing.Unlock()
	now := InForce()
	if filepath.Dir(real) == real || now.rootOf(real) != "" {
		return nil
	}
	if err := hasPrivate(real); err != nil {
		return err
	}
	limits.Store(&folders{Roots: append(slices.Clone(now.Roots), real), output: now.output})
	return nil
}
