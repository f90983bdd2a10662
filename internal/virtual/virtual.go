// Package virtual makes of a browser that several sessions use one that is one
// session's alone: a client that speaks DevTools sees the session's contexts,
// pages and cookies, and nothing else of it. What may be asked stands in
// table.txt; what a client sends is taken for hostile.
package virtual

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"pwpipe/internal/cdp"
)

// Client is the connection of a client, a message each way.
type Client interface {
	Read() ([]byte, error)
	Write([]byte) error
	Close() error
}

// Options are what the session may do. The functions may be called from any
// goroutine, and must not wait for the browser.
type Options struct {
	// Context is the browser context that the client takes for the default one,
	// "" where it is the browser's own.
	Context string
	// Owns says whether a browser context is the session's.
	Owns func(context string) bool

	Navigate   func(url string) error                                  // whether a page may go there
	Upload     func(path string) error                                 // whether a page may be given the file
	Proxy      func(server string) error                               // whether a context may use the proxy
	Permission func(name string) error                                 // whether sites may be given the permission
	Input      func(method string, p map[string]json.RawMessage) error // whether a key or a button may be pressed
	NewPage    func() error                                            // whether there is room for one more
	NewContext func() error                                            // likewise

	// Answered tells that the client has answered a dialog of a target.
	Answered func(target string)

	// NewContext takes a place, which Closed gives back: "" of one that did not
	// come to be.
	Opened, Closed func(context string)
}

// Codes of errors, as Chromium answers them.
const (
	codeRefused  = -32000
	codeNoParams = -32602
	codeNoMethod = -32601
	codeInvalid  = -32600
	codeSession  = -32001
)

// leaveTime is how long the browser may take to let a client's session go.
const leaveTime = 10 * time.Second

// browser is one client's.
type browser struct {
	o      Options
	client Client
	root   *cdp.Session
	out    *outbox

	mu       sync.Mutex
	sessions map[string]*session // the client's, by id; "" is the root
	targets  map[string]bool     // those that it has heard of, and are its own
	made     map[string]bool     // contexts that it made
	windows  map[int64]bool      // those of its targets
	streams  map[string]bool     // that it opened
	bounds
}

// session is one of the client's.
type session struct {
	*cdp.Session
	id   string // as the client knows it
	of   string // its target
	root bool   // with the browser, not with a target
}

// Serve lets a client use a virtual browser, until it leaves, the browser goes,
// or ctx ends. devtools is a session with the browser. It returns an error only
// where the client could not be served at all.
func Serve(ctx context.Context, devtools *cdp.Session, client Client, o Options) error {
	root, err := devtools.Browser(ctx)
	if err != nil {
		_ = client.Close()
		return err
	}
	b := &browser{o: o, client: client, root: root, out: newOutbox(client), sessions: map[string]*session{}, targets: map[string]bool{},
		made: map[string]bool{}, windows: map[int64]bool{}, streams: map[string]bool{}}
	b.enter(&session{Session: root, root: true})
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-root.Gone():
		case <-b.out.failed:
		case <-ended:
		}
		_ = client.Close()
	}()
	for {
		m, err := client.Read()
		if err != nil {
			break
		}
		if !b.take(m) {
			break
		}
	}
	close(ended)
	b.leave()
	return nil
}

// leave takes back what the client had: its sessions, and the contexts that it
// made.
func (b *browser) leave() {
	b.out.close()
	_ = b.client.Close()
	b.mu.Lock()
	made := b.made
	b.made = nil
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	var gone sync.WaitGroup
	for id := range made {
		gone.Go(func() { // its place is free once it has gone, not before
			_ = b.root.Call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": id}, nil)
			b.o.Closed(id)
		})
	}
	gone.Wait()
	_ = b.root.Detach(ctx)
}

// enter notes a session and listens to it.
func (b *browser) enter(s *session) {
	b.mu.Lock()
	b.sessions[s.id] = s
	b.mu.Unlock()
	s.OnAll(func(method string, params json.RawMessage) { b.event(s, method, params) })
}

// owns says whether a context is the session's, or was made by this client.
func (b *browser) owns(context string) bool {
	b.mu.Lock()
	made := b.made[context]
	b.mu.Unlock()
	return made || context != "" && (context == b.o.Context || b.o.Owns(context))
}

// take does what a message asks. It reports whether the client stays.
func (b *browser) take(m []byte) bool {
	var q message
	if !utf8.Valid(m) || json.Unmarshal(m, &q) != nil || q.ID == nil {
		b.fail(q, codeInvalid, "a message is a JSON object with an integer as its id")
		return true
	}
	b.mu.Lock()
	s := b.sessions[q.Session]
	b.mu.Unlock()
	if s == nil {
		b.fail(q, codeSession, "Session with given id not found.")
		return true
	}
	rule, offered := ruleFor(q.Method, s.root)
	if !offered {
		b.fail(q, codeNoMethod, fmt.Sprintf("'%.100s' is not offered here", q.Method))
		return true
	}
	if q.Method == "Target.createTarget" && b.waits(s, q) {
		return true
	}
	return b.do(s, q, rule)
}

// do judges a command, and gives it to the browser. It reports whether the
// client stays.
func (b *browser) do(s *session, q message, rule rule) bool {
	c := &command{browser: b, session: s, method: q.Method}
	sent := false
	defer func() {
		if !sent {
			b.end(q)
		}
	}()
	if err := b.begin(); err != nil {
		b.refuse(q, err)
		return true
	}
	var params any
	if len(q.Params) > 0 {
		params = q.Params
	}
	if rule != nil {
		if err := c.read(q.Params); err != nil {
			b.fail(q, codeNoParams, "params: "+err.Error())
			return true
		}
		if err := rule(c); err != nil {
			b.refuse(q, err)
			return true
		}
		params = c.params
	}
	if c.answer != nil {
		b.say(message{ID: q.ID, Result: *c.answer, Session: q.Session})
		return !c.leaves
	}
	q.Params, c.params, sent = nil, nil, true // may be long, and are not needed to reply
	s.Send(q.Method, params, func(result json.RawMessage, err error) { b.reply(c, q, result, err) })
	return true
}

// reply tells the client what the browser answered. It runs where the connection
// is read.
func (b *browser) reply(c *command, q message, result json.RawMessage, err error) {
	defer b.end(q)
	if c.then != nil {
		result = c.then(result, err)
	}
	if q.Method == "Page.handleJavaScriptDialog" && err == nil {
		b.o.Answered(c.session.of)
	}
	if err != nil {
		b.refuse(q, err)
		return
	}
	b.say(message{ID: q.ID, Result: result, Session: q.Session})
}

// refuse answers an error: the browser's as it is.
func (b *browser) refuse(q message, err error) {
	if e := (*cdp.Error)(nil); errors.As(err, &e) {
		b.fail(q, e.Code, e.Message)
		return
	}
	b.fail(q, codeRefused, err.Error())
}

func (b *browser) fail(q message, code int, why string) {
	id := q.ID
	if id == nil {
		id = new(int64)
	}
	b.say(message{ID: id, Error: &cdp.Error{Code: code, Message: why}, Session: q.Session})
}

// say queues a message for the client.
func (b *browser) say(m message) {
	b.out.put(m.text())
}
