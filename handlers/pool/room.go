package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"pwpipe/handlers/quota"

	"pwpipe/provider"
)

// maxWaiting bounds those who wait for a place.
const maxWaiting = 256

// waiter is one who waits for a place.
type waiter struct {
	client string
	since  time.Time
	ready  chan struct{} // closed when it has a place, or never will
	err    error         // why it never will; set before ready is closed
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
	w := &waiter{client: client, since: time.Now(), ready: make(chan struct{})}
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

// room decides whether another session may be opened, and who waits until it may.
type room struct {
	most     int           // sessions open at once, 0 for any number
	patience time.Duration // how long one waits, 0 for not at all
	contexts func() (open, most int)
	ttl      time.Duration        // after which an idle session is closed
	soonest  func() time.Duration // when the next one is, if it is left alone

	mu      sync.Mutex
	taken   int   // places of sessions that are open, are being opened or are being closed
	opening int   // of them
	ended   error // why no more are opened, nil while they are
	queue   queue
}

// take takes a place for a session that is being opened, and waits for one where there
// is none. settled and leave give it back.
func (r *room) take(ctx context.Context) error {
	r.mu.Lock()
	switch {
	case r.ended != nil:
		defer r.mu.Unlock()
		return r.ended
	case r.queue.count == 0 && r.free():
		r.give()
		r.mu.Unlock()
		return nil
	case r.patience <= 0 || r.queue.count >= maxWaiting:
		defer r.mu.Unlock()
		return r.full(0)
	}
	w := r.queue.add(provider.ClientFrom(ctx))
	r.mu.Unlock()
	late := time.NewTimer(r.patience)
	defer late.Stop()
	select {
	case <-w.ready:
		return w.err
	case <-late.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.queue.remove(w): // it was told meanwhile
		return w.err
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	}
	return r.full(time.Since(w.since))
}

// settled notes that a session is open, or could not be opened.
func (r *room) settled(open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opening--
	if !open {
		r.taken--
	}
	r.serve()
}

// leave gives back the place of a session that was open.
func (r *room) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken--
	r.serve()
}

// free reports whether another session may be opened. One that is being opened
// may have its context already, and counts twice until it is there: who waits is
// asked again then. The lock is held.
func (r *room) free() bool {
	if r.most > 0 && r.taken >= r.most {
		return false
	}
	open, most := r.contexts()
	return r.patience <= 0 || most == 0 || open+r.opening < most
}

// give takes a place for one more. The lock is held.
func (r *room) give() {
	r.taken++
	r.opening++
}

// admit gives free places to waiting clients.
func (r *room) admit() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serve()
}

// serve is admit with the lock held.
func (r *room) serve() {
	for r.queue.count > 0 && r.free() {
		r.give()
		close(r.queue.next().ready)
	}
}

// end refuses everybody who waits, and who comes from now on.
func (r *room) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = err
	for w := r.queue.next(); w != nil; w = r.queue.next() {
		w.err = err
		close(w.ready)
	}
}

// full says that there is no place, and when to try again: once the session that
// was idle for longest is closed, if it is left alone. The lock is held.
func (r *room) full(waited time.Duration) error {
	e := provider.Errorf(provider.KindLimit, "all %d sessions are open", r.most).
		WithHint("close one with session.close, or try again later: idle ones are closed after %s", r.ttl)
	if r.most == 0 || r.taken < r.most { // sessions have others beside their own
		_, most := r.contexts()
		e = quota.NoContext(most)
	}
	if waited > 0 {
		e.Msg += ", and none was closed in " + waited.Round(100*time.Millisecond).String()
	}
	e.RetryAfter = max(1, int(r.soonest().Seconds()+0.5))
	return e
}

// Capacity is how many sessions may be open, 0 for any number.
func (p *Pool) Capacity() int { return p.opts.Max }

// Waiting is how many wait for a place, and the longest time that one has.
func (p *Pool) Waiting() (n int, oldest time.Duration) {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	return p.room.queue.count, p.room.queue.oldest()
}

// Opened counts the sessions that were ever opened.
func (p *Pool) Opened() int {
	p.sessions.mu.Lock()
	defer p.sessions.mu.Unlock()
	return p.sessions.last
}
