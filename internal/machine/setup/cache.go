package setup

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"syscall"
)

// cacheDir answers the cache folder as an absolute path. It need not exist yet.
func cacheDir(asked string) (string, error) {
	if asked == "" {
		asked = os.Getenv("PWPIPE_CACHE")
	}
	if asked == "" {
		base, err := userCacheDir()
		if err != nil {
			return "", errorf("no cache folder: %w; set PWPIPE_CACHE=/path/to/folder", err)
		}
		asked = filepath.Join(base, "pwpipe")
	}
	return filepath.Abs(asked)
}

// userCacheDir is os.UserCacheDir, but where HOME is empty it asks the system's
// list of users, as services and containers often run without HOME. A shared
// temporary folder is no fall-back: anyone could have put a browser there.
func userCacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err == nil || runtime.GOOS == "windows" || os.Getenv("HOME") != "" {
		return base, err
	}
	u, uerr := user.Current()
	if uerr != nil || u.HomeDir == "" {
		return "", err
	}
	if st, serr := os.Stat(u.HomeDir); serr != nil || !st.IsDir() {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(u.HomeDir, "Library", "Caches"), nil
	}
	return filepath.Join(u.HomeDir, ".cache"), nil
}

// makeCache creates the cache folder and proves that it can be written to.
func (s *setup) makeCache() error {
	err := os.MkdirAll(s.cache, 0o755)
	if err != nil {
		return s.explain(err)
	}
	f, err := os.CreateTemp(s.cache, tempPrefix)
	if err != nil {
		return s.explain(err)
	}
	f.Close()
	os.Remove(f.Name()) // it may be gone: whoever holds the lock sweeps such files
	return nil
}

// explain turns an error of a write to the cache folder into advice. An error with
// advice stays, except on a full disk, which has many errors.
func (s *setup) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case isDiskFull(err):
		return errorf("the disk that holds %s is full; free some space or set PWPIPE_CACHE to a folder on another disk", s.cache)
	case errors.As(err, new(*Error)):
		return err
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrNotExist):
		return errorf("cannot write to the cache folder %s (%w); make it writable or set PWPIPE_CACHE=/path/to/folder", s.cache, rootCause(err))
	}
	return errorf("%w", err)
}

// rootCause drops the wrapping that repeats the path.
func rootCause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// checkSpace refuses to start what can't fit. If the free space is unknown, the write
// itself will fail.
func (s *setup) checkSpace(r release) error {
	free, ok := freeSpace(s.cache)
	need := r.Packed + r.Unpacked
	if !ok || free >= uint64(need) {
		return nil
	}
	return errorf("%s needs %s in %s but only %s are free; free some space or set PWPIPE_CACHE to a folder on another disk",
		r.Title, size(need), s.cache, size(int64(free)))
}
