package virtual

import "sync"

// mostUnread is how many bytes may wait for a client that does not read. Then it
// is let go: what is told must not be held back for it, nor kept without end.
const mostUnread = 64 << 20

// outbox writes what the client is told, in a goroutine of its own: who tells it
// reads the browser for everybody.
type outbox struct {
	client Client
	failed chan struct{} // closed when the client is gone, or does not read

	mu     sync.Mutex
	change sync.Cond
	list   [][]byte
	bytes  int
	closed bool
	once   sync.Once
}

func newOutbox(c Client) *outbox {
	o := &outbox{client: c, failed: make(chan struct{})}
	o.change.L = &o.mu
	go o.write()
	return o
}

func (o *outbox) put(m []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if o.bytes > mostUnread {
		o.closed, o.list = true, nil
		o.fail()
	} else {
		o.list, o.bytes = append(o.list, m), o.bytes+len(m)
	}
	o.change.Signal()
}

func (o *outbox) fail() { o.once.Do(func() { close(o.failed) }) }

// close ends it once what there is has been written.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Signal()
}

func (o *outbox) write() {
	for {
		o.mu.Lock()
		for len(o.list) == 0 && !o.closed {
			o.change.Wait()
		}
		list := o.list
		o.list = nil
		o.mu.Unlock()
		if len(list) == 0 {
			return
		}
		for _, m := range list {
			if o.client.Write(m) != nil {
				o.fail()
				return
			}
			o.mu.Lock()
			o.bytes -= len(m)
			o.mu.Unlock()
		}
	}
}
