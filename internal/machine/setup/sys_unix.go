//go:build linux || darwin || freebsd

package setup

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock without waiting. The kernel drops it when the process
// dies, however it dies.
func tryLock(f *os.File) (held bool, err error) {
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}

func freeSpace(dir string) (bytes uint64, ok bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	//nolint:unconvert // the types differ between systems
	return uint64(st.Bavail) * uint64(st.Bsize), true
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// syncDir makes a rename inside dir survive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// canWrite asks the kernel, which knows of owners, modes and read-only mounts.
func canWrite(dir string) (ok, known bool) {
	return unix.Access(dir, unix.W_OK|unix.X_OK) == nil, true
}
