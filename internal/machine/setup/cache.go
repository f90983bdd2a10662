package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"pwpipe/internal/machine/writefile"
)

// cache is the folder that keeps what was fetched, and what is remembered between runs.
type cache struct{ root string }

// cacheDir answers the cache folder as an absolute path. It need not exist yet.
func cacheDir(asked string) (string, error) {
	if asked = cmp.Or(asked, os.Getenv("PWPIPE_CACHE")); asked == "" {
		base, err := userCacheDir()
		if err != nil {
			return "", errorf("no cache folder: %w; set PWPIPE_CACHE=/path/to/folder", err)
		}
		asked = filepath.Join(base, "pwpipe")
	}
	return filepath.Abs(asked)
}

// CacheFolder is the folder that keeps what was fetched: the driver and the browser among it.
func CacheFolder() (string, error) { return cacheDir("") }

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

// dir is where a release lives once it is installed.
func (c cache) dir(r release) string {
	return filepath.Join(c.root, r.Folder+"-"+r.Version)
}

// makeCache creates the cache folder and proves that it can be written to.
func (c cache) makeCache() error {
	err := os.MkdirAll(c.root, 0o755)
	if err != nil {
		return c.explain(err)
	}
	f, err := writefile.Temp(c.root, tempPrefix)
	if err != nil {
		return c.explain(err)
	}
	f.Close()
	os.Remove(f.Name()) // it may be gone: whoever holds the lock sweeps such files
	return nil
}

// explain turns an error of a write to the cache folder into advice. An error with
// advice stays, except on a full disk, which has many errors.
func (c cache) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case isDiskFull(err):
		return errorf("the disk that holds %s is full; free some space or set PWPIPE_CACHE to a folder on another disk", c.root)
	case errors.As(err, new(*Error)):
		return err
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrNotExist):
		return errorf("cannot write to the cache folder %s (%w); make it writable or set PWPIPE_CACHE=/path/to/folder", c.root, rootCause(err))
	}
	return errorf("%w", err)
}

// rootCause drops the wrapping that repeats the path.
func rootCause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// checkSpace refuses to start what can't fit. If the free space is unknown, the write
// itself will fail.
func (c cache) checkSpace(r release) error {
	free, ok := freeSpace(c.root)
	need := r.Packed + r.Unpacked
	if !ok || free >= uint64(need) {
		return nil
	}
	return errorf("%s needs %s in %s but only %s are free; free some space or set PWPIPE_CACHE to a folder on another disk",
		r.Title, size(need), c.root, size(int64(free)))
}

const (
	tempPrefix = ".tmp-"
	lockPoll   = 100 * time.Millisecond
	// staleAge is how old work of another run must be before it is swept when
	// there is no lock to prove that its owner is gone.
	staleAge = 6 * time.Hour
)

// lock waits until this run alone may change the cache folder, and then sweeps
// what killed runs left behind. Some network file systems have no locks; there
// the final rename settles who wins, and only old work is swept.
func (c cache) lock(ctx context.Context, out *progress) (unlock func(), err error) {
	f, err := writefile.Lock(filepath.Join(c.root, "lock"), writefile.Public)
	if err != nil {
		return nil, c.explain(err)
	}
	for waiting := false; ; {
		held, err := tryLock(f)
		if held || err != nil {
			c.sweep(held)
			return func() { f.Close() }, nil
		}
		if !waiting {
			out.say("waiting for another pwpipe that is setting up")
			waiting = true
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// sweep removes work that nobody owns: whoever works holds the lock, so all of
// it when the lock is ours.
func (c cache) sweep(held bool) {
	entries, _ := os.ReadDir(c.root)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		info, err := e.Info()
		if err == nil && (held || time.Since(info.ModTime()) > staleAge) {
			os.RemoveAll(filepath.Join(c.root, e.Name()))
		}
	}
}

// Necessary room in the temporary folder, in bytes: a browser keeps its profile and the
// shared memory of its processes there.
const (
	tempEnough = 8 << 20
	tempNone   = 128 << 10
)

// CheckTemp says what is wrong with the temporary folder, nil if nothing is. Without
// this check the errors name other causes.
func CheckTemp() error {
	dir, variable := os.TempDir(), "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	trouble := func(format string, args ...any) error {
		return fmt.Errorf("the temporary folder %s %s, or set %s to another", dir, fmt.Sprintf(format, args...), variable)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return trouble("is not there; make it")
	case err != nil:
		return trouble("can't be used (%v); mend that", rootCause(err))
	case !info.IsDir():
		return trouble("is not a folder; make it one")
	}
	if ok, known := canWrite(dir); known && !ok {
		return trouble("can't be written; mend that")
	}
	free, ok := freeSpace(dir)
	switch {
	case ok && free < tempNone:
		return trouble("is full; free some space")
	case ok && free < tempEnough:
		return trouble("is almost full, %s are left; free some space", size(int64(free)))
	}
	return nil
}
