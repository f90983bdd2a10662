package lend

import (
	"encoding/json"
)

// event passes on what the browser says in a session of the agent, as far as it is about
// the agent's pages.
func (s *session) event(method string, params json.RawMessage) {
	if s.lost() && s.deaf(method, params) {
		return
	}
	switch {
	case method == "Target.attachedToTarget":
		if params = s.attached(params); params == nil {
			return
		}
	case method == "Target.detachedFromTarget":
		if !s.detached(params) {
			return
		}
	case method == "Browser.downloadWillBegin" || method == "Browser.downloadProgress":
		s.b.download(s, method, params)
		return
	case s.browser: // what it says of targets is said by the borrower's own session
		return
	case method == "Fetch.requestPaused" || method == "Fetch.authRequired":
		if !s.mayAnswer(params) {
			return
		}
	case method == "Page.frameAttached":
		var e struct {
			FrameID string `json:"frameId"`
		}
		if json.Unmarshal(params, &e) == nil {
			s.b.noteFrame(e.FrameID, s.page)
		}
	}
	s.b.say(message{Method: method, Params: params, Session: s.id})
}

// lost reports whether the agent no longer has the session's tab. The session is about to end.
func (s *session) lost() bool {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	t := s.b.targets[s.page]
	return !s.browser && t != nil && !t.has
}

// deaf reports whether a lost session says nothing of an event. A request that it holds goes on.
func (s *session) deaf(method string, params json.RawMessage) bool {
	if p, ok := pausedOf(params); ok && method == "Fetch.requestPaused" {
		s.Send("Fetch.continueRequest", map[string]any{"requestId": p.ID}, nil)
	}
	return method != "Target.detachedFromTarget"
}

func (b *borrower) noteFrame(id, page string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.downloads.frames[id] = page
}

// isPart reports whether a target belongs to the page of a session, which attaches to it by
// itself. In the person's context workers that pages share are not the agent's: they list
// the other tabs of their site.
func (s *session) isPart(kind string) bool {
	switch kind {
	case "iframe", "worker":
		return true
	case "shared_worker", "service_worker":
		return s.own
	}
	return false
}

// attached takes a session that the browser has opened. It returns nil for one that is
// not the agent's.
func (s *session) attached(params json.RawMessage) json.RawMessage {
	var e struct {
		Session string          `json:"sessionId"`
		Info    json.RawMessage `json:"targetInfo"`
		Waits   bool            `json:"waitingForDebugger"`
	}
	var t target
	if json.Unmarshal(params, &e) != nil || !t.read(e.Info) {
		return nil
	}
	child := s.Adopt(e.Session)
	b := s.b
	b.mu.Lock()
	known := b.targets[t.info.ID]
	whole := s.browser && t.info.Type == "browser"
	ours := whole || s.browser && known != nil && known.has || !s.browser && s.isPart(t.info.Type) && t.partAtSite()
	page := s.page
	if s.browser {
		page = t.info.ID
	}
	if ours && t.info.Type == "iframe" {
		b.downloads.frames[t.info.ID] = page
	}
	shown := b.shown(&t)
	own := s.own || b.made[t.info.Context]
	b.mu.Unlock()
	if !ours {
		child.Send("Runtime.runIfWaitingForDebugger", nil, nil)
		s.Send("Target.detachFromTarget", map[string]any{"sessionId": e.Session}, nil)
		return nil
	}
	b.enter(&session{Session: child, id: e.Session, browser: whole, of: t.info.ID, page: page, own: own && !whole})
	return encoded(map[string]any{"sessionId": e.Session, "targetInfo": shown, "waitingForDebugger": e.Waits})
}

// detached forgets a session. It reports whether it was the agent's.
func (s *session) detached(params json.RawMessage) bool {
	var e struct {
		Session string `json:"sessionId"`
	}
	if json.Unmarshal(params, &e) != nil {
		return false
	}
	b := s.b
	b.mu.Lock()
	gone := b.sessions[e.Session]
	if gone != nil {
		delete(b.sessions, e.Session)
		delete(s.joined, gone.of)
	}
	b.mu.Unlock()
	if gone == nil {
		return false
	}
	gone.release()
	return true
}

func encoded(v any) json.RawMessage {
	text, _ := json.Marshal(v)
	return text
}
