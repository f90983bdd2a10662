// Package usersocket listens for programs of this user, and for nobody else: on a Unix
// socket in a folder that only the user may enter, or on a named pipe of Windows. One
// service at a time holds the socket.
package usersocket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/shell/thin"
)

// ErrTaken says that another service serves the socket already.
var ErrTaken = errors.New("another service of this user runs already")

// Listen takes the socket. A service that is just ending is waited for; what a killed one
// left is replaced. Another can have the socket after release, which comes after all that
// only one service may have.
func Listen(ctx context.Context, at thin.Place) (l net.Listener, release func(), err error) {
	unlock, err := hold(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	l, err = listen(at.Socket())
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("can't listen: %w", err)
	}
	return &listener{l, at.Socket()}, unlock, nil
}

// hold takes the lock, which its holder keeps for as long as it lives. While somebody has
// it, either they answer, and then the socket is theirs, or they are about to end.
func hold(ctx context.Context, at thin.Place) (unlock func(), err error) {
	f, err := writefile.Lock(at.Lock(), writefile.Private)
	if err != nil {
		return nil, err
	}
	for {
		if lock(f) == nil {
			_ = f.Truncate(0)
			_, _ = fmt.Fprintln(f, os.Getpid()) // for people, and for the command that started it
			return func() { _ = f.Close() }, nil
		}
		if conn, err := at.Dial(); err == nil {
			_, _ = conn.Close(), f.Close()
			return nil, ErrTaken
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, fmt.Errorf("%s: the service that holds it neither answers nor ends", at.Lock())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// listener lets this user's programs in.
type listener struct {
	net.Listener
	path string
}

// Leave lets nobody else connect, and returns when those that had connected are accepted.
// So whoever comes while a service ends is answered, or finds no service.
func (l *listener) Leave(ctx context.Context) { leave(ctx, l.Listener, l.path) }

// Accept waits for a program of this user. Whoever else connects is shown out.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if isOurs(conn) {
			return conn, nil
		}
		_ = conn.Close()
	}
}
