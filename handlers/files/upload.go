package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pwpipe/provider"
)

// MayUpload refuses a folder if some of its contents must not reach a page: the browser
// gives away everything in it, and the targets of its links.
func MayUpload(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return nil // the browser opens only this file
	case err != nil:
		return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
	}
	if HoldsOthers(path) {
		return provider.Errorf(provider.KindBlocked, "files: %s: this folder also holds files that must not be uploaded; name a folder or files inside of it", path)
	}
	real, err := realPath(path)
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
		if e.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		to, err := realPath(at)
		if _, inside := below(real, to); err != nil || !inside {
			return provider.Errorf(provider.KindBlocked, "files: %s: the link %s in it leads out of the folder", path, at).
				WithHint("remove the link, or name the files one by one")
		}
		return nil
	})
}
