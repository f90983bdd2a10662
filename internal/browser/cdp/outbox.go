package cdp

import (
	"io"
	"sync"
)

// Outbox keeps messages until a connection reads them as a stream. Put never waits for the reader.
type Outbox struct {
	most int

	mu     sync.Mutex
	change sync.Cond
	list   [][]byte
	bytes  int // that are unread
	closed bool
	end    chan struct{} // closed with it
}

// NewOutbox returns an outbox for at most so many unread bytes, 0 for any number. If there are
// more, it is closed, and drops them.
func NewOutbox(most int) *Outbox {
	o := &Outbox{most: most, end: make(chan struct{})}
	o.change.L = &o.mu
	return o
}

// Put adds a message, which ends in NUL. A closed outbox drops it.
func (o *Outbox) Put(m []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if o.bytes += len(m); o.most > 0 && o.bytes > o.most {
		o.list = nil
		o.close()
	} else {
		o.list = append(o.list, m)
	}
	o.change.Broadcast()
}

// Await waits until at most so many bytes are unread, or the outbox is closed.
func (o *Outbox) Await(bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.bytes > bytes && !o.closed {
		o.change.Wait()
	}
}

// Read reads the messages. After the last one of a closed outbox it answers [io.EOF].
func (o *Outbox) Read(p []byte) (n int, _ error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.list) == 0 && !o.closed {
		o.change.Wait()
	}
	if len(o.list) == 0 {
		return 0, io.EOF
	}
	for n < len(p) && len(o.list) > 0 {
		k := copy(p[n:], o.list[0])
		n += k
		if o.list[0] = o.list[0][k:]; len(o.list[0]) == 0 {
			o.list[0] = nil
			o.list = o.list[1:]
		}
	}
	o.bytes -= n
	o.change.Broadcast()
	return n, nil
}

// Close closes the outbox. What is unread can still be read.
func (o *Outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.close()
	return nil
}

// close is Close with the lock held.
func (o *Outbox) close() {
	if !o.closed {
		o.closed = true
		close(o.end)
	}
	o.change.Broadcast()
}

// Closed is closed when the outbox is, though some of it may be unread.
func (o *Outbox) Closed() <-chan struct{} { return o.end }
