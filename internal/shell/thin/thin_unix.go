//go:build unix

package thin

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
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

// Ended reports whether a process is known to have ended.
func Ended(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == syscall.ESRCH }

// dontWait opens a FIFO at once, and leaves the terminal that a device is to others.
const dontWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

// others says whether others than this user and root can write a file, and how.
func others(info fs.FileInfo) string {
	switch {
	case foreign(info):
		return "it is another user's file"
	case info.Mode().Perm()&0o022 != 0:
		return "others may write it"
	}
	return ""
}

// foreign reports whether a file belongs neither to this user nor to root.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) != os.Geteuid() && stat.Uid != 0
}

// isAbs is here because package path/filepath is initialised late.
func isAbs(path string) bool { return hasPrefix(path, "/") }

// caseOf is the name of a variable as others are compared with it.
func caseOf(name string) string { return name }

// talk writes a request and reads the reply to its end. It waits in the system calls: a
// goroutine or a timer of Go's would cost a tenth of a command.
func talk(conn io.ReadWriter, request []byte, silence func() error) (reply []byte, err error) {
	if f, ok := conn.(*os.File); ok {
		every := syscall.NsecToTimeval(int64(signEvery / time.Nanosecond))
		for _, way := range []int{syscall.SO_SNDTIMEO, syscall.SO_RCVTIMEO} {
			if err := syscall.SetsockoptTimeval(int(f.Fd()), syscall.SOL_SOCKET, way, &every); err != nil {
				return nil, err
			}
		}
	}
	waits := func(err error) error { // nil to go on
		if errors.Is(err, syscall.EAGAIN) {
			return silence()
		}
		return err
	}
	for len(request) > 0 {
		n, err := conn.Write(request)
		request = request[n:]
		if err = waits(err); err != nil {
			return nil, err
		}
	}
	reply = make([]byte, 0, 4096)
	for {
		if len(reply) == cap(reply) {
			reply = append(reply, 0)[:len(reply)]
		}
		n, err := conn.Read(reply[len(reply):cap(reply)])
		reply = reply[:len(reply)+n]
		if errors.Is(err, io.EOF) {
			return reply, nil
		}
		if err = waits(err); err != nil {
			return reply, err
		}
	}
}
