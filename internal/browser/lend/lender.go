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
	// Elsewhere connects to another program of this user that has the connection, if there is one;
	// else it returns nil. It may be nil.
	Elsewhere func(context.Context) (io.ReadWriteCloser, error)

	mu   sync.Mutex // held while it connects, too
	conn *cdp.Conn

	holding sync.Mutex
	holders map[string]*borrower // who has a tab
	agents  []*borrower          // the oldest first
	last    int                  // number of an agent
	there   []*cdp.Session       // of agents that have the connection of another program
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

// maxUnread bounds the bytes that wait for an agent. One that is further behind is disconnected.
const maxUnread = 256 << 20

// leaveTime bounds what an agent's end waits for.
const leaveTime = 3 * time.Second

// Borrow returns a connection for one agent. When it is closed, the tabs that the agent
// opened are closed, and the others are left as they are. lent is called when there is an
// agent that works with it: from then on tabs are lent to it. It returns how many are.
func (l *Lender) Borrow(ctx context.Context) (conn *cdp.Conn, lent func() int, err error) {
	if l.Elsewhere != nil {
		at, err := l.Elsewhere(ctx)
		if err != nil {
			return nil, nil, err
		}
		if at != nil {
			return l.borrowThere(ctx, at)
		}
	}
	b, err := l.borrow(ctx, wants{l.Lent, l.OwnWindow})
	if err != nil {
		return nil, nil, err
	}
	return cdp.New(b.out, b), b.works, nil
}

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
		b.leave()
		return nil, err
	}
	go func() {
		<-conn.Gone()
		_ = b.out.Close()
	}()
	return b, nil
}
