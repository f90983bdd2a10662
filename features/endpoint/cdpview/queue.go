package cdpview

import (
	"errors"
	"fmt"
	"sync"
)

// Bounds of what one client may have at once. Each costs the browser and us something
// that others need.
const (
	maxCalls    = 10_000 // commands that wait for the browser's answer
	maxOpening  = 4      // pages: the next is judged when those are counted
	maxSessions = 1000
	maxSame     = 8 // sessions with one target: each is sent every event of it
	maxWhole    = 8 // sessions with the browser: each is sent the events of all targets
)

var errOpening = errors.New("too many pages are to be opened")

// queue counts a client's commands until they end, and delays those that open pages.
type queue struct {
	held *pot // bytes of commands

	mu      sync.Mutex
	calls   int
	opening int
	delayed []delayed // commands that open pages
	closed  bool
}

type delayed struct {
	s    *session
	q    message
	rule rule
}

func (u *queue) begin() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls++; u.calls > maxCalls {
		return fmt.Errorf("%d commands are under way already", maxCalls)
	}
	return nil
}

// delay keeps a command that opens a page if enough pages are being opened. It reports
// whether it does; otherwise end makes room for the next.
func (u *queue) delay(s *session, q message, rule rule) (bool, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.opening < maxOpening {
		u.opening++
		return false, nil
	}
	if len(u.delayed) >= maxCalls {
		return false, errOpening
	}
	u.delayed = append(u.delayed, delayed{s, q, rule})
	return true, nil
}

// end ends a command. It returns the command that may open the next page, nil for none.
func (u *queue) end(q message) *delayed {
	u.held.give(q.held)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calls--
	if q.Method != "Target.createTarget" {
		return nil
	}
	if u.opening--; len(u.delayed) == 0 || u.closed {
		return nil
	}
	next := u.delayed[0]
	u.delayed = u.delayed[1:]
	u.opening++
	return &next
}

// close ends the commands that were delayed: the client has left.
func (u *queue) close() {
	u.mu.Lock()
	never := u.delayed
	u.delayed, u.closed = nil, true
	u.mu.Unlock()
	for _, d := range never {
		u.held.give(d.q.held)
	}
}
