package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"pwpipe/internal/machine/tricks"
)

// Session is one of our flat DevTools sessions, with the browser or with one of its
// targets.
type Session struct {
	conn   *Conn
	id     string   // "" of the connection's own
	parent *Session // the session that opened it
	gone   chan struct{}

	mu       sync.Mutex
	handlers map[string][]*handler
	all      func(method string, params json.RawMessage) // nil for nobody
}

type handler struct{ fn func(json.RawMessage) }

// ID is the session's id.
func (s *Session) ID() string { return s.id }

// Gone is closed when the session is detached, or its target or the connection is gone.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// Ended reports whether Gone is closed.
func (s *Session) Ended() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// Call sends a command and waits for its reply, which is decoded into result unless
// that is nil. Errors are the browser's [*Error], ctx's and [ErrGone].
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	type reply struct {
		result json.RawMessage
		err    error
	}
	replied := make(chan reply, 1)
	id := s.send(method, params, func(result json.RawMessage, err error) { replied <- reply{result, err} })
	var r reply
	select {
	case r = <-replied:
	case <-ctx.Done():
		// A call that opens a session is not forgotten: the session's events would go
		// to the peer.
		if opensSession(method) || s.conn.forget(id) {
			return ctx.Err()
		}
		r = <-replied // both have come at once
	}
	if r.err != nil || result == nil {
		return r.err
	}
	if err := json.Unmarshal(r.result, result); err != nil {
		return fmt.Errorf("the browser's reply: %w", err)
	}
	return nil
}

// Send is [Session.Call] without waiting. done, if not nil, is called once with the
// reply or the error. It runs on the reading goroutine, in the order of messages, and
// must not wait. Without a connection it runs on the caller's goroutine.
func (s *Session) Send(method string, params any, done func(result json.RawMessage, err error)) {
	if done == nil {
		done = func(json.RawMessage, error) {}
	}
	s.send(method, params, done)
}

// send is Send; it returns the id of the call.
func (s *Session) send(method string, params any, done func(json.RawMessage, error)) int64 {
	id, err := s.conn.enter(&call{s, method, done})
	if err != nil {
		done(nil, err)
		return 0
	}
	m, err := request{id, method, params, s.id}.text()
	if err == nil {
		err = s.conn.send(m)
	}
	if err != nil && s.conn.forget(id) {
		done(nil, err)
	}
	return id
}

func opensSession(method string) bool {
	return method == "Target.attachToTarget" || method == "Target.attachToBrowserTarget"
}

// Attach opens a session with a target: Target.attachToTarget, flat. s is a
// session with the browser.
func (s *Session) Attach(ctx context.Context, target string) (*Session, error) {
	return s.open(ctx, "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})
}

// Browser opens another session with the browser: Target.attachToBrowserTarget. s must
// be one too.
func (s *Session) Browser(ctx context.Context) (*Session, error) {
	return s.open(ctx, "Target.attachToBrowserTarget", nil)
}

// open opens a session. If it is gone already, it is a session that has ended.
func (s *Session) open(ctx context.Context, method string, params any) (*Session, error) {
	var got struct{ SessionID string }
	if err := s.Call(ctx, method, params, &got); err != nil {
		return nil, err
	}
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if own := s.conn.sessions[got.SessionID]; own != nil {
		return own, nil
	}
	return s.conn.adopt(s, ""), nil
}

// Adopt takes over a session that the browser opened by itself (Target.setAutoAttach).
// Call it in the handler of Target.attachedToTarget: the next message may be the
// session's first event.
func (s *Session) Adopt(id string) *Session {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return s.conn.adopt(s, id)
}

// Detach ends the session.
func (s *Session) Detach(ctx context.Context) error {
	if s.parent == nil {
		return nil
	}
	err := s.parent.Call(ctx, "Target.detachFromTarget", map[string]any{"sessionId": s.id}, nil)
	s.conn.leave(s.id)
	return err
}

// Drop is [Session.Detach] without waiting. The browser reports it to the parent
// session's listener.
func (s *Session) Drop() {
	if s.parent != nil {
		s.parent.Send("Target.detachFromTarget", map[string]any{"sessionId": s.id}, nil)
	}
}

// leave ends a session, and the sessions that it opened.
func (c *Conn) leave(id string) {
	c.mu.Lock()
	c.drop(c.sessions[id])
	maps.DeleteFunc(c.beside, func(_ string, s *Session) bool {
		if s.id == id {
			close(s.gone)
		}
		return s.id == id
	})
	calls := c.takeCalls(func(k *call) bool { return k.session.Ended() })
	c.mu.Unlock()
	calls.fail()
}

// drop is leave with the lock held.
func (c *Conn) drop(s *Session) {
	if s == nil || s.Ended() {
		return
	}
	delete(c.sessions, s.id)
	close(s.gone)
	for _, below := range c.sessions {
		if below.parent == s {
			c.drop(below)
		}
	}
}

// OnAll calls fn with each event of the session, in addition to [Session.On]. There is
// one fn, nil for none.
func (s *Session) OnAll(fn func(method string, params json.RawMessage)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = fn
}

// On calls fn with the params of each event of that name, in order, until off is
// called. It runs on the reading goroutine, so it must neither wait nor call the
// browser. fn may keep the params.
func (s *Session) On(method string, fn func(params json.RawMessage)) (off func()) {
	h := &handler{fn}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handlers == nil {
		s.handlers = map[string][]*handler{}
	}
	s.handlers[method] = append(slices.Clone(s.handlers[method]), h)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.handlers[method] = slices.DeleteFunc(slices.Clone(s.handlers[method]), func(o *handler) bool { return o == h })
	}
}

// event gives an event to its listeners.
func (s *Session) event(m []byte) {
	method, params := eventOf(m, s.id)
	if method == "" {
		var e struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(m[:len(m)-1], &e) != nil {
			return
		}
		method, params = e.Method, e.Params
	}
	if method == "Target.detachedFromTarget" {
		var of struct{ SessionID string }
		if json.Unmarshal(params, &of) == nil {
			s.conn.leave(of.SessionID)
		}
	}
	s.mu.Lock()
	list, all := s.handlers[method], s.all
	s.mu.Unlock()
	if all == nil && len(list) == 0 {
		return
	}
	params = bytes.Clone(params)
	if all != nil {
		all(method, params)
	}
	for _, h := range list {
		h.fn(params)
	}
}

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

// lateTime is the longest time for a call that needs a frame, if frames come.
const lateTime = 200 * time.Millisecond

var noFilms = tricks.Off(tricks.Films)
