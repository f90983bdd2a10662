package extension

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pwpipe/internal/browser/cdp"
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
	said := listen(in)
	for {
		conn, err := usersocket.Dial(at)
		switch {
		case err == nil:
			return relay(conn, said, out)
		case !errors.Is(err, thin.ErrNothing):
			return err
		}
		select {
		case <-time.After(retryTime):
		case <-said.Closed():
			return nil
		}
	}
}

// maxSaid is how much may wait for a pwpipe that does not read.
const maxSaid = 4 << 20

// listen reads what the extension says. It is closed at its end. While nobody takes it
// the extension says no more than a few words.
func listen(in io.Reader) *cdp.Outbox {
	said := cdp.NewOutbox(0)
	go func() {
		defer said.Close()
		for {
			part := make([]byte, 64<<10)
			n, err := in.Read(part)
			if said.Await(maxSaid); n > 0 {
				said.Put(part[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	return said
}

// relay passes on what the two say.
func relay(conn io.ReadWriteCloser, said io.Reader, out io.Writer) error {
	done := make(chan error, 2)
	copies := func(to io.Writer, from io.Reader) {
		_, err := io.Copy(to, from)
		done <- err
	}
	go copies(out, conn)
	go copies(conn, said)
	return <-done
}

// place is where a pwpipe that attaches to the extension is found.
func place() (thin.Place, error) {
	dir, err := thin.Folder()
	return thin.Place{Dir: dir, Name: "extension"}, err
}
