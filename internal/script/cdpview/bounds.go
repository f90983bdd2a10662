package cdpview

import "fmt"

// Bounds of what one client may have at once: each costs the browser, and us,
// what the others' work is done with.
const (
	mostCalls    = 10_000 // commands that wait for the browser's answer
	mostSessions = 1000
	mostSame     = 8 // with one target: each is told of all that happens there
	mostWhole    = 8 // sessions with the browser: each hears of all its targets
	mostOpening  = 4 // pages: the next is judged when those are counted
)

// bounds is what there is of it. The browser's lock guards it.
type bounds struct {
	calls   int
	opening int
	waiting []waiting // to open more pages
	parsed  map[[32]byte]bool
}

// waiting is a command that is given to the browser later.
type waiting struct {
	s *session
	q message
}

// hold counts the bytes of a command, until it ends: what waits here, and what the
// browser has not come to yet.
func (b *browser) hold(q *message, n int) error {
	if err := b.o.Budget.hold(n); err != nil {
		return err
	}
	q.held = n
	return nil
}

// begin counts a command, until its end.
func (b *browser) begin() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls++; b.calls > mostCalls {
		return fmt.Errorf("%d commands are under way already", mostCalls)
	}
	return nil
}

// waits has a page be opened later, if enough are being opened. It reports
// whether it does; else the command's end is waited for.
func (b *browser) waits(s *session, q message) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opening < mostOpening {
		b.opening++
		return false
	}
	if len(b.waiting) >= mostCalls {
		b.o.Budget.release(q.held)
		go b.fail(q, codeRefused, "too many pages are to be opened")
		return true
	}
	b.waiting = append(b.waiting, waiting{s, q})
	return true
}

// end is a command's. It lets the next page be opened.
func (b *browser) end(q message) {
	b.o.Budget.release(q.held)
	b.mu.Lock()
	b.calls--
	var next *waiting
	if q.Method == "Target.createTarget" {
		if b.opening--; len(b.waiting) > 0 && b.made != nil { // nobody opens any more once the client has left
			next, b.waiting = &b.waiting[0], b.waiting[1:]
			b.opening++
		}
	}
	b.mu.Unlock()
	if next != nil {
		rule, _ := ruleFor(next.q.Method, next.s.root)
		go b.do(next.s, next.q, rule) // it may end at once, and would let the next go from within
	}
}

// sessionsFull is the error of one session too many; of is its target, "" for one with
// the browser.
func (b *browser) sessionsFull(of string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	whole, same := 0, 0
	for _, s := range b.sessions {
		if s.root {
			whole++
		} else if s.of == of {
			same++
		}
	}
	if len(b.sessions) >= mostSessions || of == "" && whole > mostWhole {
		return fmt.Errorf("over a limit: the client has %d sessions of DevTools, %d with the browser", len(b.sessions), whole)
	}
	if same >= mostSame {
		return fmt.Errorf("over a limit: the client has %d sessions of DevTools with the target", same)
	}
	return b.o.Budget.attachable(of)
}
