// Package lend lets several agents use the browser that a person uses, over one
// connection. Each agent has a connection of its own to it, in which there are only the
// tabs that it opened and those that the person lent to it.
package lend

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Lender is the one connection to a browser that a person uses. Chrome asks the person
// about each connection, so it is kept for as long as the browser lives.
type Lender struct {
	// Dial connects to the browser.
	Dial func(context.Context) (*cdp.Conn, error)
	// OwnWindow has each page that an agent opens in a window of its own.
	OwnWindow bool
	// Lent are texts: a tab that has one in its address or its title is lent to the first
	// agent that comes while nobody has it.
	Lent []string

	mu   sync.Mutex // held while it connects, too
	conn *cdp.Conn

	holding sync.Mutex
	holders map[string]*borrower // who has a tab
	agents  []*borrower          // the oldest first
	last    int                  // number of an agent
}

// enter numbers an agent.
func (l *Lender) enter(b *borrower) {
	l.holding.Lock()
	defer l.holding.Unlock()
	l.last++
	b.number = l.last
	l.agents = append(l.agents, b)
}

// leave ends what an agent had.
func (l *Lender) leave(b *borrower) {
	l.holding.Lock()
	defer l.holding.Unlock()
	l.agents = slices.DeleteFunc(l.agents, func(other *borrower) bool { return other == b })
	maps.DeleteFunc(l.holders, func(_ string, by *borrower) bool { return by == b })
}

// claim notes who has a tab. It reports whether that is b.
func (l *Lender) claim(tab string, b *borrower) bool {
	l.holding.Lock()
	defer l.holding.Unlock()
	if l.holders == nil {
		l.holders = map[string]*borrower{}
	}
	if l.holders[tab] == nil {
		l.holders[tab] = b
	}
	return l.holders[tab] == b
}

// release ends that an agent has a tab.
func (l *Lender) release(tab string, b *borrower) {
	l.holding.Lock()
	defer l.holding.Unlock()
	if l.holders[tab] == b {
		delete(l.holders, tab)
	}
}

// connect returns the connection.
func (l *Lender) connect(ctx context.Context) (*cdp.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		select {
		case <-l.conn.Gone():
		default:
			return l.conn, nil
		}
	}
	conn, err := l.Dial(ctx)
	if err == nil {
		l.conn = conn
	}
	return conn, err
}

// leaveTime bounds what an agent's end waits for.
const leaveTime = 3 * time.Second

// Borrow returns a connection for one agent. When it is closed, the tabs that the agent
// opened are closed, and the others are left as they are. lent is called when there is an
// agent that works with it: from then on tabs are lent to it. It returns how many are.
func (l *Lender) Borrow(ctx context.Context) (conn *cdp.Conn, lent func() int, err error) {
	b, err := l.borrow(ctx)
	if err != nil {
		return nil, nil, err
	}
	return cdp.New(b.out, b), b.works, nil
}

func (l *Lender) borrow(ctx context.Context) (*borrower, error) {
	conn, err := l.connect(ctx)
	if err != nil {
		return nil, err
	}
	b := &borrower{lender: l, out: newOutbox(), sessions: map[string]*session{}, targets: map[string]*target{},
		made: map[string]bool{}, sites: map[string]bool{},
		downloads: downloads{frames: map[string]string{}, loading: map[string]bool{}},
		windows:   map[int64]bool{}, holders: map[string]*holder{}}
	if err := b.begin(ctx, conn); err != nil {
		b.leave()
		return nil, err
	}
	go func() {
		<-conn.Gone()
		b.out.close()
	}()
	return b, nil
}

// outbox keeps messages until the agent's connection reads them, so that a slow one does
// not delay others.
type outbox struct {
	mu     sync.Mutex
	change sync.Cond
	list   [][]byte
	bytes  int
	closed bool
}

// maxWaiting bounds the bytes that wait. Who is further behind is disconnected.
const maxWaiting = 256 << 20

func newOutbox() *outbox {
	o := &outbox{}
	o.change.L = &o.mu
	return o
}

// put adds a message, which ends in NUL.
func (o *outbox) put(m []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if o.bytes += len(m); o.bytes > maxWaiting {
		o.closed, o.list = true, nil
	} else {
		o.list = append(o.list, m)
	}
	o.change.Broadcast()
}

// Read reads the messages as a stream.
func (o *outbox) Read(p []byte) (n int, _ error) {
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
			o.list = o.list[1:]
		}
	}
	o.bytes -= n
	return n, nil
}

func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
}

// Close ends it.
func (o *outbox) Close() error {
	o.close()
	return nil
}
