package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Session is a flat DevTools session of ours: with the browser, or with one of
// its targets.
type Session struct {
	conn   *Conn
	id     string   // "" of the connection's own
	parent *Session // that heard of it
	gone   chan struct{}

	mu       sync.Mutex
	handlers map[string][]*handler
	all      func(method string, params json.RawMessage) // nil for nobody
}

type handler struct{ fn func(json.RawMessage) }

// ID is the session's.
func (s *Session) ID() string { return s.id }

// Gone is closed when the session is detached, its target or the connection is
// gone.
func (s *Session) Gone() <-chan struct{} { return s.gone }

func (s *Session) ended() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// Call sends a command and waits for its reply, which is decoded into result
// where that is not nil. Errors are the browser's [*Error], those of ctx and
// [ErrGone].
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	k := &call{session: s, method: method, reply: make(chan reply, 1)}
	id, err := s.conn.enter(k)
	if err != nil {
		return err
	}
	m, err := request{id, method, params, s.id}.text()
	if err == nil {
		err = s.conn.send(m)
	}
	if err != nil {
		s.conn.forget(id)
		return err
	}
	select {
	case r := <-k.reply:
		return r.into(result)
	case <-ctx.Done():
		// One that opens a session is not forgotten: its events would be
		// taken for the peer's.
		if !opensSession(method) {
			s.conn.forget(id)
		}
		return ctx.Err()
	case <-s.gone:
	case <-s.conn.gone:
	}
	s.conn.forget(id)
	select {
	case r := <-k.reply: // both may have come at once
		return r.into(result)
	default:
		return ErrGone
	}
}

// Send is [Session.Call] without waiting: done is called once with the
// reply, or the error, nil for nobody. It runs on the goroutine that reads, in
// the order of what is read, and must not wait; where there is no connection, on
// the caller's.
func (s *Session) Send(method string, params any, done func(result json.RawMessage, err error)) {
	if done == nil {
		done = func(json.RawMessage, error) {}
	}
	id, err := s.conn.enter(&call{session: s, method: method, done: done})
	if err != nil {
		done(nil, err)
		return
	}
	m, err := request{id, method, params, s.id}.text()
	if err == nil {
		err = s.conn.send(m)
	}
	if err != nil && s.conn.forget(id) {
		done(nil, err)
	}
}

func opensSession(method string) bool {
	return method == "Target.attachToTarget" || method == "Target.attachToBrowserTarget"
}

// into decodes a reply.
func (r reply) into(result any) error {
	if r.Err != nil {
		return r.Err
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		return fmt.Errorf("the browser's reply: %w", err)
	}
	return nil
}

// Attach opens a session with a target: Target.attachToTarget, flat. s is a
// session with the browser.
func (s *Session) Attach(ctx context.Context, target string) (*Session, error) {
	var got struct{ SessionID string }
	err := s.Call(ctx, "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, &got)
	if err != nil {
		return nil, err
	}
	return s.child(got.SessionID), nil
}

// Browser opens another session with the browser: Target.attachToBrowserTarget.
// s is one, too.
func (s *Session) Browser(ctx context.Context) (*Session, error) {
	var got struct{ SessionID string }
	if err := s.Call(ctx, "Target.attachToBrowserTarget", nil, &got); err != nil {
		return nil, err
	}
	return s.child(got.SessionID), nil
}

// child is the session that a call opened; one that is gone already is one that
// has ended.
func (s *Session) child(id string) *Session {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if own := s.conn.sessions[id]; own != nil {
		return own
	}
	return s.conn.adopt(s, "")
}

// Adopt takes a session that the browser opened by itself (Target.setAutoAttach)
// for ours. Call it from the handler of Target.attachedToTarget: what
// comes next may be the session's first event.
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

// Drop is [Session.Detach] without waiting. The browser informs the listener of the
// session above.
func (s *Session) Drop() {
	if s.parent != nil {
		s.parent.Send("Target.detachFromTarget", map[string]any{"sessionId": s.id}, nil)
	}
}

// leave ends a session, and those that it opened.
func (c *Conn) leave(id string) {
	c.mu.Lock()
	c.drop(c.sessions[id])
	left := c.takeCalls(func(k *call) bool { return k.session.ended() })
	c.mu.Unlock()
	left.fail()
}

// drop is leave with the lock held.
func (c *Conn) drop(s *Session) {
	if s == nil || s.ended() {
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

// OnAll has fn called with each event of the session, besides those of [Session.On].
// One fn at a time, nil for none.
func (s *Session) OnAll(fn func(method string, params json.RawMessage)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = fn
}

// On has fn called with the params of each event of that name, in their order,
// until off is called. It runs on the goroutine that reads: it must neither wait
// nor call the browser. What it is given is its own.
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

// event hands an event to its listener.
func (s *Session) event(m []byte) {
	var e struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(m[:len(m)-1], &e) != nil {
		return
	}
	if e.Method == "Target.detachedFromTarget" {
		var of struct{ SessionID string }
		if json.Unmarshal(e.Params, &of) == nil {
			s.conn.leave(of.SessionID)
		}
	}
	s.mu.Lock()
	list, all := s.handlers[e.Method], s.all
	s.mu.Unlock()
	if all != nil {
		all(e.Method, e.Params)
	}
	for _, h := range list {
		h.fn(e.Params)
	}
}
