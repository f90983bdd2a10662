package service

import (
	"context"
	"slices"
	"sync"

	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// maxQueue bounds the waiting calls of one session.
const maxQueue = 64

// orders keeps the order of calls within each session of the service:
//
// - calls on one page run in the order in which they came, together with calls that
// name no page, since these mean the active page;
//
// - a call that names its page by a label keeps its order with all others;
//
// - calls on different named pages, and calls that only read, may overlap;
//
// - a call that opens, closes or chooses pages has the session to itself.
//
// Calls of different sessions never wait for each other. Lanes of package wire do the same
// for a stream, which also orders replies; here each reply has its own way back.
type orders struct {
	mu     sync.Mutex
	queues map[string][]*turn // by session; gone when empty
	count  int                // turns taken and not yet left
}

// turn is a call's place in its session's queue.
type turn struct {
	of      *orders
	session string
	touch   provider.Touch
	after   []chan struct{} // the turns it waits for
	done    chan struct{}
}

// join takes a place in the queue of a session. It never blocks, so the order
// of calls to join is the order of the calls.
func (o *orders) join(session string, t provider.Touch) (*turn, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	j := &turn{of: o, session: session, touch: t, done: make(chan struct{})}
	o.count++
	if session == "" {
		return j, nil
	}
	queue := o.queues[session]
	if len(queue) >= maxQueue {
		o.count--
		return nil, provider.Errorf(provider.KindLimit, "%d requests of session %s are waiting already", maxQueue, routedid.Short(session)).
			WithHint("wait for their answers")
	}
	for _, e := range queue {
		if e.touch.Before(t) {
			j.after = append(j.after, e.done)
		}
	}
	if o.queues == nil {
		o.queues = map[string][]*turn{}
	}
	o.queues[session] = append(queue, j)
	return j, nil
}

// wait blocks until the call's turn comes, or ctx ends.
func (j *turn) wait(ctx context.Context) error {
	for _, done := range j.after {
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// leave lets the next calls run. Every turn that joined must leave.
func (j *turn) leave() {
	o := j.of
	o.mu.Lock()
	defer o.mu.Unlock()
	close(j.done)
	o.count--
	if j.session == "" {
		return
	}
	queue := slices.DeleteFunc(o.queues[j.session], func(e *turn) bool { return e == j })
	if len(queue) == 0 {
		delete(o.queues, j.session)
		return
	}
	o.queues[j.session] = queue
}

// depth counts the running and waiting calls.
func (o *orders) depth() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.count
}
