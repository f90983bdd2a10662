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

// line is the way of DevTools messages: each ends with a NUL. Clients of the
// virtual browser come and go on it, one at a time.
type line struct {
	out io.Writer // to the process

	mu     sync.Mutex
	client *client
}

// client is the process as a client of the virtual browser: virtual.Client.
type client struct {
	line *line
	in   chan []byte
	gone chan struct{}
	once sync.Once
}

var errLeft = errors.New("the client has left")

// join makes the process a client, in the place of what it was before.
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

// is reports whether a client is the one that there is.
func (l *line) is(c *client) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client == c
}

// leave ends the client that there is.
func (l *line) leave() {
	l.mu.Lock()
	c := l.client
	l.client = nil
	l.mu.Unlock()
	if c != nil {
		_ = c.Close()
	}
}

// read hands on what the process says, until it ends. What comes while it is no
// client is dropped.
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
