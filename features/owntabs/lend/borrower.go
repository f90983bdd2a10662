package lend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// borrower is what one agent takes for its browser. Its messages come to Write; what the
// browser says comes to session.event. Sends are never made with the lock held: their
// answers may come at once.
type borrower struct {
	lender *Lender
	wants  wants
	number int
	out    *cdp.Outbox
	watch  *cdp.Session // hears of all targets; the agent does not know it
	home   string       // the browser context of the person's windows

	mu        sync.Mutex
	sessions  map[string]*session // by the ids that the agent knows; "" is its connection
	targets   map[string]*target  // all of the browser
	made      map[string]bool     // browser contexts that the agent made
	sites     map[string]bool     // where its pages have been
	windows   map[int64]bool      // of the contexts that it made
	holders   map[string]*holder  // what holds requests, by session
	downloads downloads
	life
}

// life is what the end of an agent has to know.
type life struct {
	opening int // calls of Target.createTarget that have no answer yet
	ended   bool
}

// session is one of the agent's sessions, with the browser or with a target.
type session struct {
	*cdp.Session
	b       *borrower
	id      string // "" of the agent's connection
	browser bool
	of      string // its target
	page    string // and the page that has it
	own     bool   // that is in a context that the agent made

	// Below, the borrower's lock is held.
	attaches  bool              // to each of the agent's pages
	discovers cdp.TargetFilter  // which targets it wants to hear of; nil for none
	joined    map[string]*joint // pages that it is attached to
	holds     json.RawMessage   // params of Fetch.enable of a browser session, nil for none
	scripts   map[string]bool   // for new documents, by their ids
	waiting   map[string]bool   // requests that the agent may answer
}

// joint is an attachment.
type joint struct {
	done bool
	then []func() // once it is done
}

// target is a target of the browser.
type target struct {
	info info
	raw  map[string]json.RawMessage
	whose
}

// info is what Chromium says of a target.
type info struct {
	ID      string `json:"targetId"`
	Type    string `json:"type"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Opener  string `json:"openerId"`
	Context string `json:"browserContextId"`
}

// begin connects the agent to the browser.
func (b *borrower) begin(ctx context.Context, conn *cdp.Conn) (err error) {
	var root *cdp.Session
	if root, err = conn.Browser(ctx); err != nil {
		return err
	}
	b.enter(&session{Session: root, browser: true})
	if b.watch, err = conn.Browser(ctx); err != nil {
		return err
	}
	if b.home, err = cdp.HomeOf(ctx, b.watch); err != nil {
		return err
	}
	b.watch.On("Target.targetCreated", b.targetCreated)
	b.watch.On("Target.targetInfoChanged", b.targetChanged)
	b.watch.On("Target.targetDestroyed", b.ends("Target.targetDestroyed", true))
	b.watch.On("Target.targetCrashed", b.ends("Target.targetCrashed", false))
	return b.watch.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true}, nil)
}

// lendNamed lends to the agent the tabs that the lender's texts name, and lets the person lend it
// others. It returns how many it has.
func (b *borrower) lendNamed() (n int) {
	b.lender.enter(b)
	var named []string
	b.mu.Lock()
	for id, t := range b.targets {
		if b.wants.names(t.info) {
			named = append(named, id)
		}
	}
	b.mu.Unlock()
	for _, id := range named {
		if b.give(id, false); b.has(id) {
			n++
		}
	}
	return n
}

// enter adds a session.
func (b *borrower) enter(s *session) {
	s.b, s.joined = b, map[string]*joint{}
	s.scripts, s.waiting = map[string]bool{}, map[string]bool{}
	b.mu.Lock()
	b.sessions[s.id] = s
	b.mu.Unlock()
	s.OnAll(s.event)
}

// message is a message of the protocol.
type message struct {
	ID      int64           `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Err     *cdp.Error      `json:"error,omitempty"`
	Session string          `json:"sessionId,omitempty"`
}

func (b *borrower) say(m message) {
	if m.ID == 0 {
		text, err := cdp.Encode(m)
		if err == nil {
			b.out.Put(append(text, 0))
		}
		return
	}
	// A result may have many megabytes, and is JSON already.
	var text bytes.Buffer
	text.WriteString(`{"id":` + strconv.FormatInt(m.ID, 10))
	switch {
	case m.Err != nil:
		why, _ := cdp.Encode(m.Err)
		text.WriteString(`,"error":`)
		text.Write(why)
	default:
		text.WriteString(`,"result":`)
		text.Write(m.Result)
	}
	if m.Session != "" {
		text.WriteString(`,"sessionId":`)
		text.Write(encoded(m.Session)) // the agent's own text, if there is no such session
	}
	text.WriteString("}\x00")
	b.out.Put(text.Bytes())
}

// Write takes a message of the agent: a command.
func (b *borrower) Write(m []byte) (int, error) {
	var in message
	if err := json.Unmarshal(bytes.TrimSuffix(m, []byte{0}), &in); err != nil || in.ID == 0 {
		b.say(message{Err: &cdp.Error{Code: codeInvalid, Message: "no command"}})
		return len(m), nil
	}
	b.mu.Lock()
	s, ended := b.sessions[in.Session], b.ended
	b.mu.Unlock()
	switch {
	case in.Method == lendNow:
		b.say(message{ID: in.ID, Session: in.Session, Result: encoded(b.lendNamed())})
	case in.Method == asksFor:
		var p targetParams
		_ = json.Unmarshal(in.Params, &p)
		b.say(message{ID: in.ID, Session: in.Session, Result: encoded(b.lender.isLent(p.ID, b.wants.Process))})
	case ended:
		return 0, cdp.ErrGone
	case s == nil || s.lost():
		why := &cdp.Error{Code: codeSession, Message: "Session with given id not found."}
		b.say(message{ID: in.ID, Session: in.Session, Err: why})
	default:
		s.take(in)
	}
	return len(m), nil
}

// Codes of errors, as Chromium answers them.
const (
	codeRefused  = -32000
	codeInvalid  = -32600
	codeNoMethod = -32601
	codeSession  = -32001
)

// command is a command that a rule judges: the rule says what is sent.
type command struct {
	*session
	method string
	raw    json.RawMessage
	params any                                   // in place of raw
	then   func(json.RawMessage) json.RawMessage // changes the answer
	do     func(answer reply)                    // in place of the browser
}

// reply is what answers a command.
type reply func(json.RawMessage, error)

// take judges a command, and sends it.
func (s *session) take(in message) {
	answer := func(result json.RawMessage, err error) {
		if err == nil {
			s.b.say(message{ID: in.ID, Session: s.id, Result: result})
			return
		}
		var own *cdp.Error
		if !errors.As(err, &own) {
			own = &cdp.Error{Code: codeRefused, Message: err.Error()}
		}
		s.b.say(message{ID: in.ID, Session: s.id, Err: own})
	}
	c := &command{session: s, method: in.Method, raw: in.Params}
	if len(in.Params) > 0 {
		c.params = in.Params
	}
	if err := c.judge(); err != nil {
		answer(nil, err)
		return
	}
	if c.do != nil {
		c.do(answer)
		return
	}
	s.Send(c.method, c.params, func(result json.RawMessage, err error) {
		if err == nil && c.then != nil {
			result = c.then(result)
		}
		answer(result, err)
	})
}
