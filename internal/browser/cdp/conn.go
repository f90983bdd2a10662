// Package cdp speaks the Chrome DevTools Protocol to one browser over its own
// pipe, beside the driver. Replies are matched by id, events by session. Our ids
// are above those that a client counting from 1 reaches.
package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// ErrGone: the connection or the session has ended.
var ErrGone = errors.New("the DevTools connection has ended")

// Error is an error that the browser answered.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Ids of our calls. Chromium's ids have 32 bits.
const (
	firstID = 1 << 30
	lastID  = 1<<31 - 1
)

// Conn is a connection to a browser. Its methods may be called from any
// goroutine.
type Conn struct {
	r io.ReadCloser

	writing sync.Mutex // one message at a time
	w       io.WriteCloser

	mu       sync.Mutex
	last     int64
	calls    map[int64]*call
	sessions map[string]*Session // ours, by id
	root     *Session
	peer     *lanes              // nil without a peer
	beside   map[string]*Session // the peer's, by their targets
	shared   map[string]*turns   // by method: see [Shared]
	gone     chan struct{}
	ended    bool

	mice  mice
	flood atomic.Pointer[func(target string)] // nil where nobody hears of it

	short  shortener    // of the reading goroutine
	passed atomic.Int64 // bytes that came from the browser, and that the peer took
}

// call is a call that waits for its reply.
type call struct {
	session *Session
	method  string
	done    func(json.RawMessage, error) // see [Session.Send]; no lock is held
}

// New takes over the ends of a browser's DevTools pipe: the browser writes to r and
// reads from w. It reads from now on. Until there is a peer, messages that are not ours
// are dropped.
func New(r io.ReadCloser, w io.WriteCloser) *Conn {
	c := &Conn{r: r, w: w, last: firstID - 1, calls: map[int64]*call{}, sessions: map[string]*Session{}, beside: map[string]*Session{}, gone: make(chan struct{})}
	c.root = &Session{conn: c, gone: make(chan struct{})}
	go c.read()
	return c
}

// Gone is closed when the browser's end is closed, or Close was called.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Ended reports whether Gone is closed.
func (c *Conn) Ended() bool { return c.root.Ended() }

// Passed grows while anything moves: bytes from the browser, also within a long
// message, and bytes that the peer takes. A caller that waits for an answer can tell by
// it whether the queue moves.
func (c *Conn) Passed() int64 { return c.passed.Load() }

// Close ends the connection, and with it a browser that was started on it.
func (c *Conn) Close() error {
	err := errors.Join(c.w.Close(), c.r.Close())
	c.end()
	return err
}

// end fails pending calls. It may be called more than once.
func (c *Conn) end() {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended = true
	close(c.gone)
	close(c.root.gone)
	for _, s := range c.sessions {
		close(s.gone)
	}
	clear(c.sessions)
	calls := c.takeCalls(func(*call) bool { return true })
	if c.peer != nil {
		_ = c.peer.Close()
	}
	c.mu.Unlock()
	calls.fail()
}

// endedCalls are calls that get no reply any more.
type endedCalls []*call

func (l endedCalls) fail() {
	for _, k := range l {
		k.done(nil, ErrGone)
	}
}

// takeCalls removes calls from the list. The lock is held.
func (c *Conn) takeCalls(which func(*call) bool) (l endedCalls) {
	for id, k := range c.calls {
		if which(k) {
			l = append(l, k)
			delete(c.calls, id)
		}
	}
	return l
}

// Browser opens a browser session of our own. The peer does not see its targets and
// events. If it is called before [Conn.Relay], the peer sees nothing of it at all.
func (c *Conn) Browser(ctx context.Context) (*Session, error) { return c.root.Browser(ctx) }

// send writes a message, which ends in NUL.
func (c *Conn) send(m []byte) error {
	c.mice.tell(m)
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.w.Write(m); err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return nil
}

// enter stores a call under an id of its own.
func (c *Conn) enter(k *call) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || k.session.Ended() {
		return 0, ErrGone
	}
	for {
		if c.last++; c.last > lastID {
			c.last = firstID
		}
		if c.calls[c.last] == nil {
			break
		}
	}
	c.calls[c.last] = k
	return c.last, nil
}

// forget removes a call for which nobody waits. It reports whether it was still
// pending.
func (c *Conn) forget(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.calls[id]
	delete(c.calls, id)
	return k != nil
}

// read reads messages until there are no more.
func (c *Conn) read() {
	defer c.end()
	for r := newReader(countedReader{c.r, &c.passed}); ; {
		m, err := r.next(longestSaid)
		var long *tooLongError
		switch {
		case errors.As(err, &long):
			c.tooLong(long)
		case err != nil:
			return
		default:
			c.take(m, r.cut)
		}
	}
}

// take gives a message to its receiver. So many bytes of it were cut.
func (c *Conn) take(m []byte, cut int) {
	of := labelOf(m)
	if of.id >= firstID {
		c.answer(of.id, m)
		return
	}
	c.mu.Lock()
	own, peer := c.sessions[of.session], c.peer
	c.mu.Unlock()
	if of.id == 0 && peer != nil {
		c.notice(peer, m, of.session, own == nil)
		peer.heard(of.session, m, cut)
	}
	if of.id == 0 && own != nil {
		own.event(m)
		return
	}
	if peer != nil {
		if cut > 0 {
			peer.wasCut(of.session, cut)
		}
		c.forward(peer, m, of.session, of.id)
	}
}

// answer ends a call.
func (c *Conn) answer(id int64, m []byte) {
	c.mu.Lock()
	k := c.calls[id]
	delete(c.calls, id)
	c.mu.Unlock()
	if k == nil {
		return // nobody waits for it
	}
	var r struct {
		Result json.RawMessage `json:"result"`
		Err    *Error          `json:"error"`
	}
	if r.Result = resultOf(m, k.session.id); r.Result == nil {
		if err := json.Unmarshal(m[:len(m)-1], &r); err != nil {
			r.Err = &Error{Message: "the browser's reply is no JSON: " + err.Error()}
		}
	}
	if r.Err != nil {
		k.done(nil, r.Err)
		return
	}
	var opened struct{ SessionID string }
	if opensSession(k.method) && json.Unmarshal(r.Result, &opened) == nil {
		k.session.Adopt(opened.SessionID) // before its first event is read
	}
	k.done(r.Result, nil)
}

// adopt stores a session below another, unless it is known. The lock is held.
func (c *Conn) adopt(parent *Session, id string) *Session {
	if s := c.sessions[id]; s != nil {
		return s
	}
	s := &Session{conn: c, id: id, parent: parent, gone: make(chan struct{})}
	if c.ended || id == "" {
		close(s.gone)
	} else {
		c.sessions[id] = s
	}
	return s
}

// Mouse is a mouse event that is sent to a page, at a point of its viewport.
type Mouse struct {
	Type string // mouseMoved, mousePressed, mouseReleased or mouseWheel
	X, Y float64
}

// mice are those who follow the mouse.
type mice struct {
	any atomic.Int32 // so that nobody pays for it where nobody follows

	mu sync.Mutex
	of map[*func(Mouse)]string // the session that each follows
}

// OnMouse has fn called with each mouse event that is sent to the session, ours and the
// peer's. It runs before the event is sent, and must not wait.
func (s *Session) OnMouse(fn func(Mouse)) (remove func()) {
	m := &s.conn.mice
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[*func(Mouse)]string{}
	}
	m.of[&fn] = s.id
	m.any.Add(1)
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.any.Add(-1)
		delete(m.of, &fn)
	})
}

// longestMouse is more than a mouse event has.
const longestMouse = 1024

// tell tells those who follow the mouse about a message.
func (m *mice) tell(text []byte) {
	if m.any.Load() == 0 || len(text) > longestMouse || !bytes.Contains(text, []byte(`"Input.dispatchMouseEvent"`)) {
		return
	}
	var sent struct {
		SessionID, Method string
		Params            Mouse
	}
	if json.Unmarshal(bytes.TrimRight(text, "\x00"), &sent) != nil || sent.Method != "Input.dispatchMouseEvent" {
		return
	}
	m.mu.Lock()
	var all []func(Mouse)
	for fn, session := range m.of {
		if session == sent.SessionID {
			all = append(all, *fn)
		}
	}
	m.mu.Unlock()
	for _, fn := range all {
		fn(sent.Params)
	}
}
