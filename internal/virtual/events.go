package virtual

import (
	"encoding/json"
	"strings"
)

// targetInfo is what the browser says of a target.
type targetInfo struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	Context  string `json:"browserContextId"`
}

// event tells the client of an event that is its own. It runs where the
// connection is read.
func (b *browser) event(s *session, method string, params json.RawMessage) {
	if strings.HasPrefix(method, "Target.") {
		if !b.ownEvent(s, method, params) {
			return
		}
	} else if s.root {
		return // of downloads and permissions there is nothing to tell
	}
	b.say(message{Method: method, Params: params, Session: s.id})
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
		b.mu.Lock()
		defer b.mu.Unlock()
		own := b.sessions[e.SessionID] != nil && e.SessionID != ""
		delete(b.sessions, e.SessionID)
		return own
	case "Target.targetCreated", "Target.targetInfoChanged":
		return b.hearsOf(e.Info)
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

// offered are the types of targets that a client may have. Whole Chromiums have
// others in the same context, such as browser_ui: their own windows' parts, which
// may do what no page may.
var offered = map[string]bool{"page": true, "tab": true, "iframe": true, "worker": true, "shared_worker": true, "service_worker": true, "worklet": true,
	"audio_worklet": true, "paint_worklet": true, "shared_storage_worklet": true, "auction_worklet": true}

// hearsOf notes a target that is the client's.
func (b *browser) hearsOf(info targetInfo) bool {
	if !offered[info.Type] || !b.owns(info.Context) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.targets[info.TargetID] = true
	return true
}

// attached takes a session that the browser has opened for the client. One with
// a target that is somebody else's, which comes with Target.setAutoAttach, ends
// at once: the target goes on as if nobody had come.
func (b *browser) attached(s *session, id string, info targetInfo) bool {
	child := s.Adopt(id)
	whole := info.Type == "browser"                                                        // only what this client asked for itself
	own := whole || b.hearsOf(info) || !s.root && info.Context == "" && offered[info.Type] // a worker of a page of its own
	if own && b.sessionsFull(whole) == nil {
		b.enter(&session{Session: child, id: id, of: info.TargetID, root: whole})
		return true
	}
	child.Send("Runtime.runIfWaitingForDebugger", nil, nil)
	s.Send("Target.detachFromTarget", map[string]any{"sessionId": id}, nil)
	return false
}
