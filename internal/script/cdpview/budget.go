package cdpview

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Budgets of what clients have under way at a time, in bytes. The limit of each client
// (maxUnread) does not limit many clients.
const (
	sessionUnread = 192 << 20
	processUnread = 768 << 20
	sessionHeld   = 192 << 20 // of commands
	processHeld   = 768 << 20

	longMessage  = 1 << 20          // longer messages are read one at a time
	longSessions = 1                // of a session's clients
	longProcess  = 2                // of all clients
	longTime     = 60 * time.Second // to wait for its turn, and then to come
)

// Limits of the DevTools sessions that all clients of a session have together.
const (
	sessionAttached = 1000
	targetAttached  = 32 // with one target: each is sent every event of it
)

// Budget limits what the clients of a session have. Its zero value is ready; nil has no
// limits.
type Budget struct {
	once   sync.Once
	unread pot // bytes that wait for clients to read them
	held   pot // bytes of commands that have not ended
	mu     sync.Mutex
	with   map[string]int // sessions of clients, by target
	all    int            // sessions of clients
	long   chan struct{}
	scales sync.Map // pixels of a page for one of CSS: float64 by target
}

// The process's own.
var (
	allUnread = pot{most: processUnread}
	allHeld   = pot{most: processHeld}
	allLong   = make(chan struct{}, longProcess)
)

// pot counts bytes.
type pot struct {
	mu         sync.Mutex
	used, most int
}

func (p *pot) take(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used+n > p.most {
		return false
	}
	p.used += n
	return true
}

func (p *pot) give(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= n
}

func (b *Budget) begin() {
	b.once.Do(func() {
		b.unread.most, b.held.most, b.long = sessionUnread, sessionHeld, make(chan struct{}, longSessions)
	})
}

var (
	errSessionUnread = errors.New("over a limit: the session's DevTools clients do not read their messages")
	errProcessUnread = errors.New("over a limit: the DevTools clients of all sessions do not read " +
		"what waits for them")
	errSessionHeld = errors.New("over a limit: too many requests of the session's DevTools clients are under way")
	errProcessHeld = errors.New("over a limit: too many requests of the DevTools clients of all sessions " +
		"is under way")
	errLong = errors.New("over a limit: other long messages of DevTools clients take too long")
)

// take counts n bytes that wait for a client to read them.
func (b *Budget) take(n int) error {
	if b == nil {
		return nil
	}
	b.begin()
	if !b.unread.take(n) {
		return errSessionUnread
	}
	if !allUnread.take(n) {
		b.unread.give(n)
		return errProcessUnread
	}
	return nil
}

// give ends the count of n of them.
func (b *Budget) give(n int) {
	if b != nil && n > 0 {
		b.unread.give(n)
		allUnread.give(n)
	}
}

// Waits counts n bytes that wait for an HTTP client, until read is called.
func (b *Budget) Waits(n int) (read func(), _ error) {
	return func() { b.give(n) }, b.take(n)
}

// hold counts n bytes of a command, from when it is read.
func (b *Budget) hold(n int) error {
	if b == nil {
		return nil
	}
	b.begin()
	if !b.held.take(n) {
		return errSessionHeld
	}
	if !allHeld.take(n) {
		b.held.give(n)
		return errProcessHeld
	}
	return nil
}

// release is the end of a command of n bytes.
func (b *Budget) release(n int) {
	if b != nil && n > 0 {
		b.held.give(n)
		allHeld.give(n)
	}
}

// read waits until a long message may be read: it is copied several times before the browser
// has it.
func (b *Budget) read(ended <-chan struct{}) (done func(), _ error) {
	b.begin()
	late := time.NewTimer(longTime)
	defer late.Stop()
	for _, turn := range []chan struct{}{b.long, allLong} {
		select {
		case turn <- struct{}{}:
			continue
		case <-late.C:
		case <-ended:
		}
		if turn == allLong {
			<-b.long
		}
		return nil, errLong
	}
	return func() { <-allLong; <-b.long }, nil
}

// attachable is the error of one more session with a target, "" for the browser.
func (b *Budget) attachable(of string) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := b.with[of]; of != "" && n >= targetAttached {
		return fmt.Errorf("over a limit: the session's clients have %d DevTools sessions with the target", n)
	}
	if b.all >= sessionAttached {
		return fmt.Errorf("over a limit: the session's clients have %d DevTools sessions", b.all)
	}
	return nil
}

// attached counts a session, until detached.
func (b *Budget) attached(s *session) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.with == nil {
		b.with = map[string]int{}
	}
	b.with[s.target()]++
	b.all++
}

func (b *Budget) detached(s *session) {
	if b == nil || s == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all--
	of := s.target()
	if b.with[of]--; b.with[of] <= 0 {
		delete(b.with, of)
	}
}
