package extension

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
)

// Asked reports whether a browser has started us as our native messaging host: it names the
// extension that asks.
func Asked(args []string) bool {
	return len(args) > 0 && strings.HasPrefix(args[0], scheme)
}

const scheme = "chrome-extension://"

// retryTime is between two looks for a pwpipe that wants tabs.
const retryTime = 300 * time.Millisecond

// Host is the native messaging host: it connects the extension to the pwpipe of this user
// that attaches to it, for which it waits. It ends with either.
func Host(args []string, in io.Reader, out io.Writer) error {
	if !isOurs(args[0]) {
		return fmt.Errorf("%.100q is not pwpipe's extension", args[0])
	}
	at, err := place()
	if err != nil {
		return err
	}
	said, ended := listen(in)
	for {
		conn, err := usersocket.Dial(at)
		switch {
		case err == nil:
			return relay(conn, said, ended, out)
		case !errors.Is(err, thin.ErrNothing):
			return err
		}
		select {
		case <-time.After(retryTime):
		case <-ended:
			return nil
		}
	}
}

// listen reads what the extension says. ended is closed at its end. While nobody takes it
// the extension says no more than a few words.
func listen(in io.Reader) (said <-chan []byte, ended <-chan struct{}) {
	list, end := make(chan []byte, 64), make(chan struct{})
	go func() {
		defer close(end)
		for {
			part := make([]byte, 64<<10)
			n, err := in.Read(part)
			if n > 0 {
				list <- part[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	return list, end
}

// relay passes on what the two say.
func relay(conn io.ReadWriteCloser, said <-chan []byte, ended <-chan struct{}, out io.Writer) error {
	done := make(chan error, 2)
	go func() {
		_, err := io.Copy(out, conn)
		done <- err
	}()
	go func() {
		for {
			select {
			case part := <-said:
				if _, err := conn.Write(part); err != nil {
					done <- err
					return
				}
			case <-ended:
				done <- nil
				return
			}
		}
	}()
	return <-done
}

// place is where a pwpipe that attaches to the extension is found.
func place() (thin.Place, error) {
	dir, err := thin.Folder()
	return thin.Place{Dir: dir, Name: "extension"}, err
}
