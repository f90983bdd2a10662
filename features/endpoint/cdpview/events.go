package cdpview

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Target is what the browser says of one.
type Target struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Context  string `json:"browserContextId"`
	Opener   string `json:"openerId"`
}

// event tells the client of an event that is its own. It runs where the
// connection is read.
func (b *browser) event(s *session, method string, params json.RawMessage) {
	request := method == "Fetch.requestPaused" || method == "Fetch.authRequired"
	var own bool
	switch {
	case strings.HasPrefix(method, "Target."):
		own = b.ownEvent(s, method, params)
	case strings.HasPrefix(method, "Tracing."):
		params = b.traceEvent(method, params)
		own = params != nil
	case s.root && request:
		own = b.fetchEvent(s, method, params)
	case s.root || s.lost.Load():
		own = false // a root session reports nothing else that is the client's
	case request:
		own = b.holds(s, params)
	case method == "Page.fileChooserOpened":
		own = b.o.Choosers.opened(s, params)
	default:
		own = !b.visibility.hidesEvent(method, params)
	}
	if !own {
		return
	}
	switch {
	case s.lent:
		params, own = b.worlds.event(s, method, params)
	case method == "Runtime.executionContextCreated":
		params = b.worlds.renamed(params)
		own = params != nil
	case method == "Target.targetCreated" || method == "Target.targetInfoChanged":
		params = b.targets.attachedIn(params)
	}
	if !own {
		return
	}
	params = b.refusals.event(method, params)
	b.say(message{Method: method, Params: params, Session: s.id})
	if strings.HasPrefix(method, "Page.download") {
		b.downloads.event(s, method, params)
	}
}

// ownEvent reports whether the client gets an event about targets.
func (b *browser) ownEvent(s *session, method string, params json.RawMessage) bool {
	var e struct {
		SessionID string `json:"sessionId"`
		TargetID  string `json:"targetId"`
		Info      Target `json:"targetInfo"`
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
		return e.Info.Type == "browser" || b.hearsOf(e.Info) // the client can't attach to the browser by its id
	case "Target.targetDestroyed":
		return b.targets.known.remove(e.TargetID)
	case "Target.targetCrashed":
		return b.targets.known.contains(e.TargetID)
	}
	return false
}

// offered are the types of targets that a client may have. Whole Chromiums have
// others in the same context, such as browser_ui: see ofWindow.
var offered = map[string]bool{"page": true, "tab": true, "iframe": true, "worker": true, "shared_worker": true,
	"service_worker": true, "worklet": true, "audio_worklet": true, "paint_worklet": true,
	"shared_storage_worklet": true, "auction_worklet": true}

// part are the types of targets that belong to another target.
var part = map[string]bool{"iframe": true, "worker": true, "worklet": true, "audio_worklet": true,
	"paint_worklet": true, "shared_storage_worklet": true, "auction_worklet": true}

// ofWindow says whether a target is a part of one of the browser's own windows,
// which may do what no page may: of a type of its own, or the tab that holds one.
func ofWindow(info Target) bool {
	at, err := url.Parse(info.URL)
	return !offered[info.Type] || err == nil && at.Scheme == "chrome" && strings.HasSuffix(at.Host, ".top-chrome")
}
