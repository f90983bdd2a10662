//go:build darwin || freebsd

package thin

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// controlling is the terminal that controls this process. It stays the same where input and
// output are pipes or files.
func controlling() (t terminal, ok bool) {
	fd, err := syscall.Open("/dev/tty", syscall.O_RDONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return t, false
	}
	_ = syscall.Close(fd)
	t.leader, _ = unix.Getsid(0)
	t.name = "of process " + decimal(t.leader)
	t.id = t.name
	return t, true
}
