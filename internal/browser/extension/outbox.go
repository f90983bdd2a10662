package extension

import (
	"io"
	"sync"
)

// outbox keeps messages until the connection reads them: whoever writes one may be who reads.
type outbox struct {
	mu     sync.Mutex
	change sync.Cond
	text   []byte
	closed bool
}

func newOutbox() *outbox {
	o := &outbox{}
	o.change.L = &o.mu
	return o
}

// put adds a message, and the NUL that ends it.
func (o *outbox) put(m []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.text = append(append(o.text, m...), 0)
	}
	o.change.Broadcast()
}

// fits waits until little is unread. So a reader that is slow delays the browser.
func (o *outbox) fits() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.text) > maxUnread && !o.closed {
		o.change.Wait()
	}
}

const maxUnread = 64 << 20

func (o *outbox) Read(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.text) == 0 && !o.closed {
		o.change.Wait()
	}
	if len(o.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, o.text)
	if o.text = o.text[n:]; len(o.text) == 0 {
		o.text = nil
	}
	o.change.Broadcast()
	return n, nil
}

func (o *outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
	return nil
}
