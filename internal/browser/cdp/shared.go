package cdp

import (
	"context"
	"encoding/json"
	"time"
)

// sharedTime bounds the browser's answer to a shared call.
const sharedTime = 60 * time.Second

// turns are the calls of a method, one at a time. The connection's lock guards them.
type turns struct {
	next    *turn // not sent yet, nil for none
	running bool
}

// turn is one call for all callers that asked before it was sent.
type turn struct {
	done  chan struct{}
	value any
	err   error
}

// Shared makes a call that many callers may make at once and that has a long answer. On
// a connection one call of the method runs at a time, and answers all callers that
// asked before it was sent. They share the result of read, which must always be the
// same function.
func Shared[T any](ctx context.Context, s *Session, method string, params any,
	read func(json.RawMessage) (T, error)) (T, error) {
	c := s.conn
	c.mu.Lock()
	if c.shared == nil {
		c.shared = map[string]*turns{}
	}
	list := c.shared[method]
	if list == nil {
		list = &turns{}
		c.shared[method] = list
	}
	if list.next == nil {
		list.next = &turn{done: make(chan struct{})}
	}
	own := list.next
	if !list.running {
		list.running = true
		go list.run(s, method, params, func(raw json.RawMessage) (any, error) { return read(raw) })
	}
	c.mu.Unlock()
	select {
	case <-own.done:
		value, _ := own.value.(T)
		return value, own.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// run makes calls until nobody waits for another.
func (l *turns) run(s *Session, method string, params any, read func(json.RawMessage) (any, error)) {
	for {
		s.conn.mu.Lock()
		own := l.next
		if l.next = nil; own == nil {
			l.running = false
			s.conn.mu.Unlock()
			return
		}
		s.conn.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), sharedTime)
		var raw json.RawMessage
		if own.err = s.Call(ctx, method, params, &raw); own.err == nil {
			own.value, own.err = read(raw)
		}
		cancel()
		close(own.done)
	}
}
