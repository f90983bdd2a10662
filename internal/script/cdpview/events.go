package cdpview

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
)

// targetInfo is what the browser says of a target.
type targetInfo struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	URL      string `json:"url"`
	Context  string `json:"browserContextId"`
	Opener   string `json:"openerId"`
}

// event tells the client of an event that is its own. It runs where the
// connection is read.
func (b *browser) event(s *session, method string, params json.RawMessage) {
	if strings.HasPrefix(method, "Target.") {
		if !b.ownEvent(s, method, params) {
			return
		}
	} else if strings.HasPrefix(method, "Tracing.") {
		if params = b.traceEvent(method, params); params == nil {
			return
		}
	} else if s.root && (method == "Fetch.requestPaused" || method == "Fetch.authRequired") {
		if !b.fetchEvent(s, method, params) {
			return
		}
	} else if s.root || s.lost.Load() {
		return // of downloads and permissions there is nothing to tell
	} else if (method == "Fetch.requestPaused" || method == "Fetch.authRequired") && !b.asks(s, params) || b.secret(method, params) {
		return
	} else if method == "Page.fileChooserOpened" && !b.o.Choosers.opened(s, params) {
		return
	}
	if s.lent {
		var own bool
		if params, own = b.told(s, method, params); !own {
			return
		}
	} else if method == "Runtime.executionContextCreated" {
		if params = b.worldOf(params); params == nil {
			return
		}
	} else if method == "Target.targetCreated" || method == "Target.targetInfoChanged" {
		params = b.seenAttached(params)
	}
	params = b.refusals.event(method, params)
	b.say(message{Method: method, Params: params, Session: s.id})
	if strings.HasPrefix(method, "Page.download") {
		b.downloads.event(s, method, params)
	}
}

// ownEvent says whether an event about targets is the client's to hear.
func (b *browser) ownEvent(s *session, method string, params json.RawMessage) bool {
	var e struct {
		SessionID string     `json:"sessionId"`
		TargetID  string     `json:"targetId"`
		Info      targetInfo `json:"targetInfo"`
	}
	if json.Unmarshal(params, &e) != nil {
		return false
	}
	switch method {
	case "Target.attachedToTarget":
		return b.attached(s, e.SessionID, e.Info)
	case "Target.detachedFromTarget":
		return b.detached(e.SessionID)
	case "Target.targetCreated", "Target.targetInfoChanged":
		return e.Info.Type == "browser" || b.hearsOf(e.Info) // that is not the client's to attach to
	case "Target.targetDestroyed", "Target.targetCrashed":
		b.mu.Lock()
		defer b.mu.Unlock()
		own := b.targets[e.TargetID]
		if method == "Target.targetDestroyed" {
			delete(b.targets, e.TargetID)
		}
		return own
	}
	return false
}

// detached forgets a session that has ended. It reports whether it was the client's.
func (b *browser) detached(id string) bool {
	b.mu.Lock()
	gone := b.sessions[id]
	delete(b.sessions, id)
	b.mu.Unlock()
	if gone == nil {
		return false
	}
	b.o.Budget.detached(gone)
	b.downloads.detached(gone)
	b.o.Choosers.forget(func(l *listener) bool { return l.session == gone })
	return id != ""
}

// offered are the types of targets that a client may have. Whole Chromiums have
// others in the same context, such as browser_ui: see ofWindow.
var offered = map[string]bool{"page": true, "tab": true, "iframe": true, "worker": true, "shared_worker": true, "service_worker": true, "worklet": true,
	"audio_worklet": true, "paint_worklet": true, "shared_storage_worklet": true, "auction_worklet": true}

// part are the types of targets that belong to another.
var part = map[string]bool{"iframe": true, "worker": true, "worklet": true, "audio_worklet": true, "paint_worklet": true, "shared_storage_worklet": true, "auction_worklet": true}

// ofWindow says whether a target is a part of one of the browser's own windows,
// which may do what no page may: of a type of its own, or the tab that holds one.
func ofWindow(info targetInfo) bool {
	at, err := url.Parse(info.URL)
	return !offered[info.Type] || err == nil && at.Scheme == "chrome" && strings.HasSuffix(at.Host, ".top-chrome")
}

// hearsOf notes a target that is the client's, where it may be seen.
func (b *browser) hearsOf(info targetInfo) bool { return b.shows(info) && b.has(info) }

// has notes a target that is the client's, wherever it is.
func (b *browser) has(info targetInfo) bool {
	if ofWindow(info) || !b.owns(info.Context) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.targets[info.TargetID] = true
	return true
}

// attached takes a session that the browser has opened for the client. One with
// a target that is somebody else's, which comes with Target.setAutoAttach, ends
// at once: the target goes on as if nobody had come. What belongs to a page that is
// seen is seen, wherever in the web it is from: its frames, and its workers.
func (b *browser) attached(s *session, id string, info targetInfo) bool {
	child := s.Adopt(id)
	whole := info.Type == "browser" // only what this client asked for itself
	own := whole || (!part[info.Type] || b.seen(info)) && (b.hearsOf(info) || !s.root && (info.Context == "" && offered[info.Type] || part[info.Type] && b.has(info)))
	of := info.TargetID
	if whole {
		of = ""
	}
	if own && !s.lost.Load() && b.sessionsFull(of) == nil {
		page := s.page
		if page == "" || info.Type == "page" {
			page = info.TargetID
		}
		joined := &session{Session: child, client: b, id: id, of: info.TargetID, page: page, context: cmp.Or(info.Context, s.context), root: whole,
			tab: info.Type == "tab"}
		b.enter(joined)
		b.mu.Lock()
		trusting := b.trusting && joined.whole()
		b.mu.Unlock()
		if trusting {
			joined.trusts(true)
		}
		if info.Type == "page" {
			b.escort(info.TargetID)
		}
		if info.Type == "page" && b.o.Attached != nil {
			b.o.Attached(info.TargetID, child)
		}
		return true
	}
	child.Send("Runtime.runIfWaitingForDebugger", nil, nil)
	s.Send("Target.detachFromTarget", map[string]any{"sessionId": id}, nil)
	if s.tab && ofWindow(info) { // it was told of before it said where it is
		b.lose(s.of)
	}
	return false
}
