//go:build linux || darwin || freebsd

package pipetest

import (
	"os"
	"syscall"
)

// lock waits until this process alone holds a file. The kernel lets go of it
// when the process dies, however it dies.
func lock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	return func() { _ = f.Close() }, err
}
