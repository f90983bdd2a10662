package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"pwpipe/provider"
)

// finder finds what no page may get by a file.
type finder func(path string) (name string, err error)

var heldByFile atomic.Pointer[finder]

// KeepFromPages names who finds what no page may get by a file, such as a password of a log-in that
// is in a trace. find answers its name, "" for none.
func KeepFromPages(find func(path string) (name string, err error)) {
	heldByFile.Store((*finder)(&find))
}

// mayBringAlong refuses a file with something that no page may get.
func mayBringAlong(path string) error {
	find := heldByFile.Load()
	if find == nil {
		return nil
	}
	name, err := (*find)(path)
	switch {
	case err != nil:
		return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
	case name != "":
		return provider.Errorf(provider.KindBlocked, "files: %s holds %s, which no page gets by a file", path, name)
	}
	return nil
}

// MayUpload refuses a folder if some of its contents must not reach a page: the browser
// gives away everything in it, and the targets of its links.
func MayUpload(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.Mode().IsRegular():
		return mayBringAlong(path) // the browser opens only this file
	case err == nil && !info.IsDir(): // the browser would wait for what comes out of a FIFO
		return provider.Errorf(provider.KindArgs, "files: %s is not a file", path)
	case err != nil:
		return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
	}
	if HoldsOthers(path) {
		return provider.Errorf(provider.KindBlocked, "files: %s: this folder also holds files that must not be uploaded; name a folder or files inside of it", path)
	}
	real, err := RealPath(path)
	if err != nil {
		return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
	}
	return filepath.WalkDir(real, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
		}
		if !e.IsDir() && isControl(at) { // by a hard link, say
			return provider.Errorf(provider.KindBlocked, "files: %s: pwpipe keeps %s closed", path, at)
		}
		if e.IsDir() {
			return nil
		}
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := RealPath(at)
			if _, inside := below(real, to); err != nil || !inside {
				return provider.Errorf(provider.KindBlocked, "files: %s: the link %s in it leads out of the folder", path, at).
					WithHint("remove the link, or name the files one by one")
			}
		}
		if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			return provider.Errorf(provider.KindBlocked, "files: %s: %s in it is not a file", path, at)
		}
		return mayBringAlong(at)
	})
}
