package cdpview

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"pwpipe/internal/browser/cdp"
)

type session struct {
	*cdp.Session
	client  *browser
	id      string   // as the client knows it; "" is the root
	of      string   // its target; "" for the browser
	page    string   // the page that the target is, or belongs to
	context string   // the browser context of the target
	root    bool     // it is with the browser, not with a target
	tab     bool     // it is with a tab, whose page is a child
	film    cdp.Film // runs while a command waits for frames

	attaches, discovers atomic.Bool // the client gets new targets by themselves

	held    set[string]  // requests that wait for the client
	fetches atomic.Int64 // sessions that the browser ever had when it began to hold requests
	lost    atomic.Bool  // the client may not see the target any more: nothing passes

	lent   bool   // of a tab in a shared browser, or of a part of one
	realms realms // guarded by the lock of worlds
}

// whole says whether a session is with a page, and not with a part of one.
func (s *session) whole() bool { return !s.root && !s.tab && s.of == s.page }

// targets are what a client has of the browser: its sessions, and the targets that it may
// name.
type targets struct {
	budget *Budget
	known  set[string]  // targets that the client has heard of
	own    atomic.Value // the id of the page's session, of a client with a page's own connection

	mu       sync.Mutex
	sessions map[string]*session // by id
	trusting bool                // pages accept certificates that are not valid
}

// add reports whether the session's page is to accept certificates that are not valid.
func (t *targets) add(s *session) (trusts bool) {
	t.budget.attached(s.of, 1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sessions[s.id] = s
	return t.trusting && s.whole()
}

// remove returns the session that it forgets, nil if there was none.
func (t *targets) remove(id string) *session {
	t.mu.Lock()
	gone := t.sessions[id]
	delete(t.sessions, id)
	t.mu.Unlock()
	if gone != nil {
		t.budget.attached(gone.of, -1)
	}
	return gone
}

func (t *targets) clear() {
	for _, s := range t.where(func(*session) bool { return true }) {
		t.remove(s.id)
	}
}

func (t *targets) session(id string) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sessions[id]
}

func (t *targets) where(is func(*session) bool) (list []*session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.sessions {
		if is(s) {
			list = append(list, s)
		}
	}
	return list
}

// lose takes a target from the client. It returns the sessions with it, through which
// nothing passes any more, and whether the client had heard of it.
func (t *targets) lose(id string) (with []*session, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.sessions {
		if s.of == id {
			with = append(with, s)
			s.lost.Store(true)
		}
	}
	return with, t.known.remove(id)
}

// trust says whether pages are to accept certificates that are not valid. It returns the
// sessions with pages for which that changes.
func (t *targets) trust(ignore bool) (pages []*session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.sessions {
		if t.trusting != ignore && s.whole() {
			pages = append(pages, s)
		}
	}
	t.trusting = ignore
	return pages
}

// full is the error of one session too many; of is its target, "" for the browser.
func (t *targets) full(of string) error {
	t.mu.Lock()
	all, whole, same := len(t.sessions), 0, 0
	for _, s := range t.sessions {
		if s.root {
			whole++
		} else if s.of == of {
			same++
		}
	}
	t.mu.Unlock()
	if all >= maxSessions || of == "" && whole > maxWhole {
		return fmt.Errorf("over a limit: the client has %d DevTools sessions, %d with the browser", all, whole)
	}
	if same >= maxSame {
		return fmt.Errorf("over a limit: the client has %d DevTools sessions with the target", same)
	}
	return t.budget.attachable(of)
}

// attachedIn sets "attached" in an event or a reply about a target: true if the client
// itself is attached. We are attached to all targets, and clients go by that.
func (t *targets) attachedIn(params json.RawMessage) json.RawMessage {
	var e map[string]json.RawMessage
	var info Target
	if json.Unmarshal(params, &e) != nil || json.Unmarshal(e["targetInfo"], &info) != nil {
		return params
	}
	e["targetInfo"] = t.attachedAs(info, e["targetInfo"])
	return encoded(e)
}

// attachedAs is attachedIn for the information about a target itself.
func (t *targets) attachedAs(info Target, raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return raw
	}
	with := t.where(func(s *session) bool { return !s.root && s.of == info.TargetID })
	members["attached"] = encoded(info.Type == "browser" || len(with) > 0)
	return encoded(members)
}
