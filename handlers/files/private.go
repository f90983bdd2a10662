package files

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
)

// private holds the real paths of files that no client may read.
var private struct {
	sync.Mutex
	list []string
}

// KeepPrivate keeps a file, such as a key, out of the allowed folders. It refuses a file that lies
// in one: a script reads all of a folder. Later no folder that has the file can be allowed.
func KeepPrivate(path string) error {
	real, err := realPath(path)
	if err != nil {
		return err
	}
	allowing.Lock()
	defer allowing.Unlock()
	if root := InForce().rootOf(real); root != "" {
		return fmt.Errorf("%s lies in %s, where scripts and uploads can read it; "+
			"move it, or name other folders by --allow-dir", path, root)
	}
	private.Lock()
	defer private.Unlock()
	private.list = append(private.list, real)
	return nil
}

// hasPrivate returns an error if a folder has a private file.
func hasPrivate(dir string) error {
	private.Lock()
	defer private.Unlock()
	if i := slices.IndexFunc(private.list, func(file string) bool {
		_, in := below(dir, file)
		return in
	}); i >= 0 {
		return fmt.Errorf("%s has the key of a client certificate, %s; use another folder", dir,
			filepath.Base(private.list[i]))
	}
	return nil
}
