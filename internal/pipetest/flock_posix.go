//go:build linux || darwin || freebsd

package pipetest

import (
	"os"
	"syscall"
)

// lock waits until only this process holds a file. The kernel releases it when
// the process dies in any way.
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
