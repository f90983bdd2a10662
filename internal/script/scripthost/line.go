package scripthost

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// longestMessage is how long a DevTools message of the process may be: Playwright
// sends files of up to 50 MB in one.
const longestMessage = 100 << 20

// line carries DevTools messages; each ends with a NUL. The process joins and leaves the
// virtual browser on it, as one client at a time.
type line struct {
	out io.Writer // to the process

	mu     sync.Mutex
	client *client
}

// client is the process as a client of the virtual browser: cdpview.Client.
type client struct {
	line *line
	in   chan []byte
	gone chan struct{}
	once sync.Once
}

var errLeft = errors.New("the client has left")

// join makes the process a new client, and ends the client that it was before.
func (l *line) join() *client {
	c := &client{line: l, in: make(chan []byte), gone: make(chan struct{})}
	l.mu.Lock()
	old := l.client
	l.client = c
	l.mu.Unlock()
	if old != nil {
		_ = old.Close()
	}
	return c
}

// is reports whether c is the present client.
func (l *line) is(c *client) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client == c
}

// leave ends the present client.
func (l *line) leave() {
	l.mu.Lock()
	c := l.client
	l.client = nil
	l.mu.Unlock()
	if c != nil {
		_ = c.Close()
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
		l.mu.Lock()
		c := l.client
		l.mu.Unlock()
		if c == nil {
			continue
		}
		select {
		case c.in <- m:
		case <-c.gone:
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
	case <-c.gone:
		return nil, errLeft
	}
}

func (c *client) Write(m []byte) error {
	select {
	case <-c.gone:
		return errLeft
	default:
	}
	_, err := c.line.out.Write(append(m[:len(m):len(m)], 0))
	return err
}

func (c *client) Close() error {
	c.once.Do(func() { close(c.gone) })
	return nil
}
