//go:build unix

package thin

import (
	"errors"
	"io"
	"os"
	"syscall"
)

func user() string { return decimal(os.Geteuid()) }

// closed refuses anything but a folder of this user's that nobody else can enter.
func closed(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return errors.New("it is not a folder")
	case !ok || int(stat.Uid) != os.Geteuid():
		return errors.New("it is another user's")
	case info.Mode().Perm()&0o077 != 0:
		return errors.New("others may enter it")
	}
	return nil
}

// Socket is the path of the service's socket.
func (p Place) Socket() string { return p.file("sock") }

// maxPath is what the address of a socket can hold, on every system.
const maxPath = 103

// Dial connects to the service, which is this user's. The error is ErrNothing where none
// runs.
func (p Place) Dial() (io.ReadWriteCloser, error) {
	path := p.Socket()
	if len(path) > maxPath {
		return nil, errors.New(path + ": too long for a socket; name a shorter folder in XDG_RUNTIME_DIR or TMPDIR")
	}
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
	}
	if err == nil && Peer(fd) == os.Geteuid() {
		return os.NewFile(uintptr(fd), path), nil
	}
	_ = syscall.Close(fd)
	if err == nil {
		return nil, errors.New(path + ": somebody else's program listens there")
	}
	if err == syscall.ENOENT || err == syscall.ECONNREFUSED {
		return nil, ErrNothing
	}
	return nil, errors.New(path + ": " + err.Error())
}
