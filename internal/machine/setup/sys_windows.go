package setup

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock without waiting. The system drops it when the process
// dies, however it dies.
func tryLock(f *os.File) (held bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

func freeSpace(dir string) (bytes uint64, ok bool) {
	p, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(p, &bytes, nil, nil)
	return bytes, err == nil
}

func isDiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// syncDir does nothing: Windows has no sync of a folder.
func syncDir(string) error { return nil }

func canWrite(string) (ok, known bool) { return false, false }
