//go:build unix

package program

import (
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/rawio"
)

// pollable lets the runtime's poller wait for a pipe or a socket, rather than
// a thread in a blocking read: a request is seen sooner by some 25 µs, of 20
// that it then takes. The flag belongs to the open file, which others may
// share, so restore takes it back. Terminals and files are left as they are.
func pollable(f *os.File) (in io.Reader, restore func()) {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f, func() {}
	}
	fd := int(f.Fd())
	if unix.SetNonblock(fd, true) != nil {
		return f, func() {}
	}
	return rawio.Shared(os.NewFile(uintptr(fd), f.Name())), func() { _ = unix.SetNonblock(fd, false) }
}

// watchReader calls gone when the other end of a pipe or a socket is closed. A
// write would tell as well, but there may be none for as long as a request
// waits.
func watchReader(f *os.File, gone func()) {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return
	}
	fd := int32(-1)
	_ = conn.Control(func(n uintptr) { fd = int32(n) }) // Fd would make it blocking
	go func() {
		for {
			watched := []unix.PollFd{{Fd: fd}}
			_, err := unix.Poll(watched, -1)
			if watched[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				gone()
				return
			}
			if err != nil && err != unix.EINTR || watched[0].Revents != 0 {
				return
			}
		}
	}()
}

var (
	brokenPipe  = []os.Signal{syscall.SIGPIPE}
	stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
)

// apart keeps a service away from the terminal of the command that started it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepNothing has programs started from now on get no descriptors that this one was
// given, beside the first three: whoever reads the other end of one would wait for them.
func keepNothing() {
	if closeOthers() == nil {
		return
	}
	list, _ := os.ReadDir("/dev/fd")
	for _, e := range list {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
