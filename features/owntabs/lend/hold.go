package lend

import (
	"encoding/json"
	"maps"
	"sync/atomic"

	"pwpipe/internal/browser/cdp"
)

// Fetch in a session with the browser would hold the requests of every tab. Here it holds
// requests of the agent's pages: each has a session of ours that does so.

// holder holds the requests of a page for a session with the browser.
type holder struct {
	*cdp.Session
	by   *session
	page string
}

type patternParams struct {
	Patterns []struct {
		URL   string `json:"urlPattern,omitempty"`
		Type  string `json:"resourceType,omitempty"`
		Stage string `json:"requestStage,omitempty"`
	} `json:"patterns,omitempty"`
}

func holdAll(c *command, p *patternParams) error {
	s := c.session
	c.do = func(answer reply) {
		var pages []string
		s.b.mu.Lock()
		s.holds = encoded(p)
		for id, t := range s.b.targets {
			if t.has && t.info.Type == "page" {
				pages = append(pages, id)
			}
		}
		s.b.mu.Unlock()
		s.release()
		forAll(pages, s.hold, func() { answer(empty, nil) })
	}
	return nil
}

// forAll does something to each, and calls then when all have called done.
func forAll(list []string, do func(one string, done func()), then func()) {
	var left atomic.Int64
	left.Store(int64(len(list)) + 1)
	done := func() {
		if left.Add(-1) == 0 {
			then()
		}
	}
	for _, one := range list {
		do(one, done)
	}
	done()
}

func holdNothing(c *command) error {
	s := c.session
	c.do = func(answer reply) {
		s.b.mu.Lock()
		s.holds = nil
		s.b.mu.Unlock()
		s.release()
		answer(empty, nil)
	}
	return nil
}

// release ends what holds requests for the session.
func (s *session) release() { s.b.dropHolders(func(h *holder) bool { return h.by == s }) }

// dropHolders ends some of what holds requests.
func (b *borrower) dropHolders(which func(*holder) bool) {
	b.mu.Lock()
	var list []*holder
	maps.DeleteFunc(b.holders, func(_ string, h *holder) bool {
		drops := which(h)
		if drops {
			list = append(list, h)
		}
		return drops
	})
	b.mu.Unlock()
	for _, h := range list {
		h.Drop()
	}
}

// hold holds the requests of a page, and calls then when it does.
func (s *session) hold(page string, then func()) {
	b := s.b
	b.attach(page, func(own *cdp.Session) {
		if own == nil {
			then()
			return
		}
		h := &holder{Session: own, by: s, page: page}
		b.mu.Lock()
		t := b.targets[page]
		on, params := s.holds != nil && b.sessions[s.id] == s && t != nil && t.has, s.holds
		if on {
			b.holders[h.ID()] = h
		}
		b.mu.Unlock()
		if !on {
			h.Drop()
			then()
			return
		}
		h.On("Fetch.requestPaused", func(event json.RawMessage) {
			var members map[string]json.RawMessage
			p, ok := pausedOf(event)
			if json.Unmarshal(event, &members) != nil || !ok {
				return
			}
			if !p.ofSite() || !b.has(page) {
				h.Send("Fetch.continueRequest", map[string]any{"requestId": p.ID}, nil)
				return
			}
			members["requestId"] = encoded(h.ID() + p.ID)
			b.say(message{Method: "Fetch.requestPaused", Params: encoded(members), Session: s.id})
		})
		h.Send("Fetch.enable", params, func(json.RawMessage, error) { then() })
	})
}

// sessionDigits is how long the ids of sessions are. A request that a page's session holds has that
// session's id before its own.
const sessionDigits = 32

// letGo sends on, or fails, a request that is held.
func letGo(c *command, p *struct {
	ID     string `json:"requestId"`
	Reason string `json:"errorReason,omitempty"`
}) error {
	session := p.ID[:min(sessionDigits, len(p.ID))]
	p.ID = p.ID[len(session):]
	c.b.mu.Lock()
	h := c.b.holders[session]
	c.b.mu.Unlock()
	if h == nil || h.by != c.session {
		return refused("Invalid InterceptionId.")
	}
	c.do = func(answer reply) {
		h.Send(c.method, p, answer)
	}
	return nil
}

// paused is a request that is held.
type paused struct {
	ID      string `json:"requestId"`
	Frame   string `json:"frameId"`
	Type    string `json:"resourceType"`
	Request struct {
		URL string `json:"url"`
	} `json:"request"`
}

func pausedOf(event json.RawMessage) (p paused, ok bool) {
	err := json.Unmarshal(event, &p)
	return p, err == nil && p.ID != ""
}

// ofSite reports whether an agent may hold a request. A file, or a part of a page of the browser's
// own, is not its to replace.
func (p paused) ofSite() bool { return ofSite(p.Request.URL) }

// maxWaiting bounds the requests that wait for an agent: those that were given up end without a word.
const maxWaiting = 10_000

// mayAnswer notes a request that a session of the agent's holds. It reports whether the agent
// hears of it; if not, the request goes on.
func (s *session) mayAnswer(event json.RawMessage) bool {
	p, ok := pausedOf(event)
	if !ok {
		return false
	}
	if !p.ofSite() {
		s.Send("Fetch.continueRequest", map[string]any{"requestId": p.ID}, nil)
		return false
	}
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	for id := range s.waiting {
		if len(s.waiting) < maxWaiting {
			break
		}
		delete(s.waiting, id)
	}
	s.waiting[p.ID] = true
	return true
}

// answers is the rule of answers to a request that is held. The ids could be guessed, so the agent
// must have heard about it.
func answers(c *command, p *map[string]json.RawMessage) error {
	var id string
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	if json.Unmarshal((*p)["requestId"], &id) != nil || !c.waiting[id] {
		return refused("Invalid InterceptionId.")
	}
	if c.method != "Fetch.getResponseBody" && c.method != "Fetch.takeResponseBodyAsStream" {
		delete(c.waiting, id)
	}
	return nil
}

// holdsAnew is the rule of what has the ids of requests begin anew.
func holdsAnew(c *command) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	clear(c.waiting)
	return nil
}
