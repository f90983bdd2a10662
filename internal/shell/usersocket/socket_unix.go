//go:build unix

package usersocket

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/internal/shell/thin"
)

// listen replaces what lies at the path: who has the lock is the only one that may.
func listen(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	old := unix.Umask(0o177)
	l, err := net.Listen("unix", path)
	unix.Umask(old)
	return l, err
}

// leave removes the socket's name, and waits until no connection is queued.
func leave(ctx context.Context, l net.Listener, path string) {
	_ = os.Remove(path)
	raw, err := l.(*net.UnixListener).SyscallConn()
	if err != nil {
		return
	}
	for queued := true; queued && ctx.Err() == nil; {
		queued = false
		_ = raw.Control(func(fd uintptr) {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
			queued = n > 0 || errors.Is(err, unix.EINTR)
		})
		if queued {
			time.Sleep(time.Millisecond)
		}
	}
}

func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// isOurs reports whether the kernel says that this user is at the other end.
func isOurs(conn net.Conn) bool {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	uid := -1
	_ = raw.Control(func(fd uintptr) { uid = thin.Peer(int(fd)) })
	return uid == os.Geteuid()
}

// Dial connects to a program that listens. Both sides may speak at once.
func Dial(at thin.Place) (io.ReadWriteCloser, error) { return at.Dial() }
