package pool

import (
	"context"
	"errors"
	"slices"
	"time"

	"pwpipe/handlers/quota"

	"pwpipe/provider"
)

// mostWaiting bounds those who wait for a place.
const mostWaiting = 256

// waiter is one who waits for a place.
type waiter struct {
	client string
	since  time.Time
	told   chan struct{} // closed when it has a place, or never will
	err    error         // why it never will; set before told is closed
}

// queue is who waits. Clients take turns, so that one who asks for many places
// keeps nobody else waiting behind all of them; each client's own come in their
// order.
type queue struct {
	turns []string // clients, the next one first
	of    map[string][]*waiter
	count int
}

func (q *queue) add(client string) *waiter {
	w := &waiter{client: client, since: time.Now(), told: make(chan struct{})}
	if q.of == nil {
		q.of = map[string][]*waiter{}
	}
	if len(q.of[client]) == 0 {
		q.turns = append(q.turns, client)
	}
	q.of[client] = append(q.of[client], w)
	q.count++
	return w
}

// remove takes one out who waits no more. It reports whether it was there.
func (q *queue) remove(w *waiter) bool {
	at := slices.Index(q.of[w.client], w)
	if at < 0 {
		return false
	}
	q.count--
	if q.of[w.client] = slices.Delete(q.of[w.client], at, at+1); len(q.of[w.client]) == 0 {
		delete(q.of, w.client)
		q.turns = slices.DeleteFunc(q.turns, func(c string) bool { return c == w.client })
	}
	return true
}

// next takes out whose turn it is, nil if nobody waits. Its client's next turn
// comes after everybody else's.
func (q *queue) next() *waiter {
	if q.count == 0 {
		return nil
	}
	client := q.turns[0]
	w := q.of[client][0]
	q.turns = append(q.turns[1:], client)
	q.remove(w)
	return w
}

// oldest is how long somebody has waited.
func (q *queue) oldest() (longest time.Duration) {
	for _, list := range q.of {
		longest = max(longest, time.Since(list[0].since))
	}
	return longest
}

// reserve takes a place for a session that is being opened, and waits for one
// where there is none.
func (p *Pool) reserve(ctx context.Context) error {
	p.mu.Lock()
	switch {
	case p.closed || p.drained:
		p.mu.Unlock()
		return errStopping()
	case p.queue.count == 0 && p.room():
		p.opening++
		p.mu.Unlock()
		return nil
	case p.opts.Wait <= 0 || p.queue.count >= mostWaiting:
		defer p.mu.Unlock()
		return p.full(0)
	}
	w := p.queue.add(provider.ClientFrom(ctx))
	p.mu.Unlock()
	late := time.NewTimer(p.opts.Wait)
	defer late.Stop()
	select {
	case <-w.told:
		return w.err
	case <-late.C:
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.queue.remove(w): // it was told meanwhile
		return w.err
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	}
	return p.full(time.Since(w.since))
}

// room reports whether another session may be opened. One that is being opened
// may have its context already, and counts twice until it is there: who waits is
// asked again then. The lock is held.
func (p *Pool) room() bool {
	if p.opts.Max > 0 && len(p.sessions)+p.opening >= p.opts.Max {
		return false
	}
	most := p.Browser.Config.MaxContexts
	return p.opts.Wait <= 0 || most == 0 || p.Browser.Places().Count()+p.opening < most
}

// admit gives free places to waiting clients.
func (p *Pool) admit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.queue.count > 0 && p.room() {
		p.opening++
		close(p.queue.next().told)
	}
}

// Drain opens no sessions any more; those that are open go on.
func (p *Pool) Drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drained = true
	p.refuse(errStopping())
}

// refuse tells everybody who waits that there will be no place. The lock is held.
func (p *Pool) refuse(err error) {
	for w := p.queue.next(); w != nil; w = p.queue.next() {
		w.err = err
		close(w.told)
	}
}

// full says that there is no place, and when to try again: once the session that
// was idle for longest is closed, if it is left alone. The lock is held.
func (p *Pool) full(waited time.Duration) error {
	e := provider.Errorf(provider.KindLimit, "all %d sessions are open", p.opts.Max).
		WithHint("close one with session.close, or try again later: idle ones are closed after %s", p.opts.TTL)
	if p.opts.Max == 0 || len(p.sessions)+p.opening < p.opts.Max { // sessions have others beside their own
		e = quota.NoContext(p.Browser.Config.MaxContexts)
	}
	if waited > 0 {
		e.Msg += ", and none was closed in " + waited.Round(100*time.Millisecond).String()
	}
	wait := p.opts.TTL
	for _, s := range p.sessions {
		wait = min(wait, p.opts.TTL-time.Since(s.used))
	}
	e.RetryAfter = max(1, int(wait.Seconds()+0.5))
	return e
}

// Capacity is how many sessions may be open, 0 for any number.
func (p *Pool) Capacity() int { return p.opts.Max }

// Waiting is how many wait for a place, and the longest time that one has.
func (p *Pool) Waiting() (n int, oldest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.count, p.queue.oldest()
}

// Opened counts the sessions that were ever opened.
func (p *Pool) Opened() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}
