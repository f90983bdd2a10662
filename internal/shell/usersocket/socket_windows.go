package usersocket

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"pwpipe/internal/shell/thin"
)

// listen makes a named pipe that this user alone may open.
func listen(name string) (net.Listener, error) {
	who, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return winio.ListenPipe(name, &winio.PipeConfig{SecurityDescriptor: "D:P(A;;GA;;;" + who.User.Sid.String() + ")"})
}

// leave does nothing: a pipe has no queue, and a program finds it busy or gone.
func leave(context.Context, net.Listener, string) {}

// lock locks a byte that is not there, so that everybody can read those before it.
func lock(f *os.File) error {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
}

// isOurs: the pipe's rights have kept everybody else out.
func isOurs(net.Conn) bool { return true }

// Dial connects to a program that listens. Both sides may speak at once, for which a pipe of
// Windows has to be opened in its own way.
func Dial(at thin.Place) (io.ReadWriteCloser, error) {
	conn, err := winio.DialPipe(at.Socket(), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, thin.ErrNothing
	}
	return conn, err
}
