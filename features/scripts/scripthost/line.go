package scripthost

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
)

// longestMessage is how long a DevTools message of the process may be: Playwright
// sends files of up to 50 MB in one.
const longestMessage = 100 << 20

// line carries DevTools messages; each ends with a NUL. The process joins and leaves the
// virtual browser on it, as one client at a time.
type line struct {
	out     io.Writer // to the process
	present atomic.Pointer[client]
}

// client is the process as a client of the virtual browser: cdpview.Client.
type client struct {
	line *line
	in   chan []byte
	ctx  context.Context // ends when the client leaves
	end  context.CancelFunc
}

var errLeft = errors.New("the client has left")

// join makes the process a new client, and ends the client that it was before.
func (l *line) join() *client {
	c := &client{line: l, in: make(chan []byte)}
	c.ctx, c.end = context.WithCancel(context.Background())
	l.follow(c)
	return c
}

// leave ends the present client.
func (l *line) leave() { l.follow(nil) }

func (l *line) follow(next *client) {
	if old := l.present.Swap(next); old != nil {
		old.end()
	}
}

// read hands over the messages of the process until it ends. Messages that come while it
// is no client are dropped.
func (l *line) read(in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		m, err := readMessage(r)
		if err != nil {
			return err
		}
		if c := l.present.Load(); c != nil {
			select {
			case c.in <- m:
			case <-c.ctx.Done():
			}
		}
	}
}

// readMessage reads up to a NUL.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var m []byte
	for {
		part, err := r.ReadSlice(0)
		if len(m)+len(part) > longestMessage {
			return nil, errFrame
		}
		m = append(m, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(m, []byte{0}), err
		}
	}
}

func (c *client) Read() ([]byte, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.ctx.Done():
		return nil, errLeft
	}
}

func (c *client) Write(m []byte) error {
	if c.ctx.Err() != nil {
		return errLeft
	}
	_, err := c.line.out.Write(append(m[:len(m):len(m)], 0))
	return err
}

func (c *client) Close() error {
	c.end()
	return nil
}
