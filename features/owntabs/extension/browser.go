package extension

import (
	"crypto/rand"
	"encoding/json"
	"net"
	"slices"
	"strings"
	"sync"

	"pwpipe/internal/browser/cdp"
)

type jsonObject = json.RawMessage

// browser is what a connection takes for a browser: it has the lent tabs, and nothing else.
type browser struct {
	out   *cdp.Outbox
	lent  chan struct{} // closed when the first tab is lent
	first sync.Once

	returned func(target, why string)

	writing sync.Mutex // one message at a time

	mu       sync.Mutex
	conn     net.Conn // to the extension, nil for none
	agent    string   // user agent
	last     int64
	calls    map[int64]func(jsonObject, *cdp.Error)
	tabs     []*tab
	sessions map[string]*session
	home     string // the context of the person's windows
}

// tab is a lent tab. The debugger has one session with it, which all of ours share.
type tab struct {
	id     int
	info   targetInfo
	main   *session // the first of ours, nil once that has ended
	worlds worlds
}

// session is a session of the protocol: with the browser, with a tab, or with a part of one.
type session struct {
	id     string   // "" of the connection itself
	parent *session // nil of the connection itself
	tab    *tab     // nil of one with the browser
	part   bool     // a frame or worker of the tab, whose id is the debugger's

	attaches, discovers bool // of one with the browser: what it has asked for
}

// targetInfo is Target.TargetInfo, as far as a tab has it.
type targetInfo struct {
	ID       string `json:"targetId"`
	Type     string `json:"type,omitempty"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Attached bool   `json:"attached,omitempty"`
	Opener   bool   `json:"canAccessOpener,omitempty"`
	Context  string `json:"browserContextId"`
}

// message is a reply or an event, as Chromium orders its members.
type message struct {
	ID      int64      `json:"id,omitempty"`
	Method  string     `json:"method,omitempty"`
	Params  any        `json:"params,omitempty"`
	Result  any        `json:"result,omitempty"`
	Error   *cdp.Error `json:"error,omitempty"`
	Session string     `json:"sessionId,omitempty"`
}

// object is params or a result of ours.
type object map[string]any

func newBrowser(returned func(target, why string)) *browser {
	b := &browser{out: cdp.NewOutbox(0), lent: make(chan struct{}), calls: map[int64]func(jsonObject, *cdp.Error){}}
	b.returned, b.sessions = returned, map[string]*session{"": {}}
	return b
}

// enter gives a browser the connection. It reports whether it is free.
func (b *browser) enter(conn net.Conn, agent string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil || b.sessions == nil {
		return false
	}
	b.conn, b.agent = conn, agent
	return true
}

// leave is called when the extension is gone. Before the first tab another may come.
func (b *browser) leave() {
	select {
	case <-b.lent:
		_ = b.Close()
	default:
		b.mu.Lock()
		b.conn = nil
		b.mu.Unlock()
	}
}

// Close ends the connection on both sides. The extension then gives all tabs back.
func (b *browser) Close() error {
	_ = b.out.Close()
	b.mu.Lock()
	conn := b.conn
	b.conn, b.sessions = nil, nil
	b.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
	return nil
}

// say puts a message into the outbox. The lock is held.
func (b *browser) say(m message) {
	if text, err := cdp.Encode(m); err == nil {
		b.out.Put(append(text, 0))
	}
}

// lend adds a tab.
func (b *browser) lend(id int, info targetInfo) {
	info.Type, info.Attached = "page", true
	b.mu.Lock()
	if b.sessions == nil || info.ID == "" || info.Context == "" || b.tabOf(info.ID) != nil {
		b.mu.Unlock()
		return
	}
	t := &tab{id: id, info: info}
	b.tabs = append(b.tabs, t)
	b.home = info.Context
	b.discovered("Target.targetCreated", object{"targetInfo": t.info})
	for _, s := range b.browserSessions() {
		if s.attaches {
			b.attach(s, t)
		}
	}
	b.mu.Unlock()
	b.first.Do(func() { close(b.lent) })
}

// browserSessions are the sessions with the browser, the connection's first. The lock is
// held.
func (b *browser) browserSessions() (list []*session) {
	for _, s := range b.sessions {
		if s.tab == nil {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(x, y *session) int { return strings.Compare(x.id, y.id) })
	return list
}

// discovered tells the sessions with the browser that asked for it what became of a tab. The lock
// is held.
func (b *browser) discovered(method string, params object) {
	for _, s := range b.browserSessions() {
		if s.discovers {
			b.say(message{Method: method, Params: params, Session: s.id})
		}
	}
}

// attach makes a session with a tab. The lock is held.
func (b *browser) attach(s *session, t *tab) *session {
	own := &session{id: rand.Text(), parent: s, tab: t}
	b.sessions[own.id] = own
	if t.main == nil {
		t.main = own
	}
	b.say(message{Method: "Target.attachedToTarget", Session: s.id,
		Params: object{"sessionId": own.id, "targetInfo": t.info, "waitingForDebugger": false}})
	return own
}

// giveBack removes a tab that the person took back, or that is gone.
func (b *browser) giveBack(id int, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.tabs, func(t *tab) bool { return t.id == id })
	if at < 0 {
		return
	}
	t := b.tabs[at]
	b.tabs = slices.Delete(b.tabs, at, at+1)
	b.returned(t.info.ID, why)
	for _, s := range b.sessions {
		if s.tab == t && !s.part {
			b.drop(s)
		}
	}
	b.discovered("Target.targetDestroyed", object{"targetId": t.info.ID})
}

// drop ends a session, and those below it. The lock is held.
func (b *browser) drop(s *session) {
	delete(b.sessions, s.id)
	params := object{"sessionId": s.id}
	if t := s.tab; t != nil && !s.part {
		params["targetId"] = t.info.ID
		if t.main == s {
			t.main = nil
		}
	}
	b.say(message{Method: "Target.detachedFromTarget", Params: params, Session: s.parent.id})
	for _, below := range b.sessions {
		if below.parent == s {
			b.drop(below)
		}
	}
}

// tabOf is a lent tab by its target, nil for none. The lock is held.
func (b *browser) tabOf(target string) *tab {
	for _, t := range b.tabs {
		if t.info.ID == target {
			return t
		}
	}
	return nil
}

// reply gives a call its answer.
func (b *browser) reply(m said) {
	b.mu.Lock()
	done := b.calls[m.ID]
	delete(b.calls, m.ID)
	b.mu.Unlock()
	if done == nil {
		return
	}
	if m.Error == "" {
		done(m.Result, nil)
		return
	}
	e := &cdp.Error{}
	if json.Unmarshal([]byte(m.Error), e) != nil || e.Message == "" {
		e = &cdp.Error{Code: codeFailed, Message: m.Error}
	}
	done(nil, e)
}
