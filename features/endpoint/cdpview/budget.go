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

// Budget limits what the clients of a session have.
type Budget struct {
	unread pot // bytes that wait for clients to read them
	held   pot // bytes of commands that have not ended
	mu     sync.Mutex
	with   map[string]int // sessions of clients, by target
	all    int            // sessions of clients
	long   chan struct{}
	scales sync.Map // pixels of a page for one of CSS: float64 by target
}

// NewBudget makes the budget of a session.
func NewBudget() *Budget {
	return &Budget{
		unread: pot{most: sessionUnread, full: errSessionUnread, all: &allUnread},
		held:   pot{most: sessionHeld, full: errSessionHeld, all: &allHeld},
		with:   map[string]int{}, long: make(chan struct{}, longSessions),
	}
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

// The process's own.
var (
	allUnread = pot{most: processUnread, full: errProcessUnread}
	allHeld   = pot{most: processHeld, full: errProcessHeld}
	allLong   = make(chan struct{}, longProcess)
)

// pot counts bytes, here and in the process's pot.
type pot struct {
	most int
	full error // says that there is no room
	all  *pot  // nil in the process's

	mu   sync.Mutex
	used int
}

func (p *pot) take(n int) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used+n > p.most {
		return p.full
	}
	if err := p.all.take(n); err != nil {
		return err
	}
	p.used += n
	return nil
}

func (p *pot) give(n int) {
	if p == nil {
		return
	}
	p.all.give(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= n
}

// Waits counts n bytes that wait for an HTTP client, until read is called.
func (b *Budget) Waits(n int) (read func(), _ error) {
	return func() { b.unread.give(n) }, b.unread.take(n)
}

// read waits until a long message may be read: it is copied several times before the browser
// has it.
func (b *Budget) read(ended <-chan struct{}) (done func(), _ error) {
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

// attached counts one session more with a target, "" for the browser; or less by -1.
func (b *Budget) attached(of string, more int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all += more
	if b.with[of] += more; b.with[of] <= 0 {
		delete(b.with, of)
	}
}
