// Package lend lets several agents use the browser that a person uses, over one
// connection. Each agent has a connection of its own to it, in which there are only the
// tabs that it opened and those that the person lent to it.
package lend

import (
	"context"
	"maps"
	"slices"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// Lender is the one connection to a browser that a person uses. Chrome asks the person
// about each connection, so it is kept for as long as the browser lives.
type Lender struct {
	// Dial connects to the browser.
	Dial func(context.Context) (*cdp.Conn, error)

	mu   sync.Mutex // held while it connects, too
	conn *cdp.Conn

	holding sync.Mutex
	holders map[string]*borrower // who has a tab
	agents  []*borrower          // the oldest first
	last    int                  // number of an agent
}

// Of lends tabs of the browser that a person uses, by its name as [IsPersonal] takes it.
func Of(browser string) *Lender {
	return &Lender{Dial: func(ctx context.Context) (*cdp.Conn, error) {
		address, err := DevToolsOf(browser)
		if err != nil {
			return nil, err
		}
		return cdp.Dial(ctx, address, nil)
	}}
}

// Asks is what the person has to know while a connection is made.
func Asks(browser string) string {
	return "attaching to " + browser + "; if it asks in its window whether to allow debugging, allow it"
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
	if l.conn != nil && !l.conn.Ended() {
		return l.conn, nil
	}
	conn, err := l.Dial(ctx)
	if err == nil {
		l.conn = conn
	}
	return conn, err
}

// connection is the connection, nil where there is none.
func (l *Lender) connection() *cdp.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil || l.conn.Ended() {
		return nil
	}
	return l.conn
}

// maxUnread bounds the bytes that wait for an agent. One that is further behind is disconnected.
const maxUnread = 256 << 20

// borrow returns an agent.
func (l *Lender) borrow(ctx context.Context, w wants) (*borrower, error) {
	conn, err := l.connect(ctx)
	if err != nil {
		return nil, err
	}
	b := &borrower{lender: l, wants: w, out: cdp.NewOutbox(maxUnread), sessions: map[string]*session{},
		targets: map[string]*target{},
		made:    map[string]bool{}, sites: map[string]bool{},
		downloads: downloads{frames: map[string]string{}, loading: map[string]bool{}},
		windows:   map[int64]bool{}, holders: map[string]*holder{}}
	if err := b.begin(ctx, conn); err != nil {
		_ = b.Close()
		return nil, err
	}
	go func() {
		<-conn.Gone()
		_ = b.out.Close()
	}()
	return b, nil
}
