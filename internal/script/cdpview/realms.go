package cdpview

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// In a lent tab a client's code runs where the client was told that it may, and
// nowhere else: in the worlds of the web's documents, not in those that extensions
// have there, nor in a document that has come since. Chromium sees to that itself: what
// it is sent names a world by an id that no other ever has.

// realm is a world of a target, as Chromium tells of it.
type realm struct {
	ID     int64  `json:"id"`
	Unique string `json:"uniqueId"`
	Origin string `json:"origin"`
	Name   string `json:"name"`
	Of     struct {
		Type  string `json:"type"`
		Frame string `json:"frameId"`
	} `json:"auxData"`

	event json.RawMessage
	told  bool // the client may work in it
}

// realms are those of a session's target. The browser's lock guards them.
type realms struct {
	state    knowledge
	hears    bool // the client has asked for them, not we
	list     map[int64]*realm
	scripts  map[string]bool // that the client was told of
	waits    []func()        // commands, until they are known
	draining bool            // they are being sent
}

type knowledge int

const (
	unknown knowledge = iota
	underWay
	known
)

// ofWeb are the origins of documents and workers of the web, and of those that are
// nobody's.
var ofWeb = regexp.MustCompile(`^(?:(?:null|://)?$|data:|chrome-error:|blob:null/|(?:blob:|filesystem:)?(?:https?|ftp)://)`)

// fits says whether the client may work in a realm. The lock is held.
func (b *browser) fits(s *session, r *realm) bool {
	if r.Of.Type == "isolated" && !b.worlds[r.Name] {
		return false // somebody else's: an extension's, the driver's
	}
	if s.of != s.page || r.Of.Frame != s.of {
		return ofWeb.MatchString(r.Origin) || b.o.Theirs.Shows(r.Origin+"/")
	}
	if !strings.HasPrefix(r.Origin, "http") {
		return ofWeb.MatchString(r.Origin)
	}
	at := b.there[s.of] // a pattern may be of more than the origin
	return b.o.Theirs.Shows(r.Origin+"/") || strings.HasPrefix(at, r.Origin+"/") && b.o.Theirs.Shows(at)
}

// told is what an event of a lent tab has for the client. It runs where the
// connection is read.
func (b *browser) told(s *session, method string, params json.RawMessage) (_ json.RawMessage, own bool) {
	if !strings.HasPrefix(method, "Runtime.") && !strings.HasPrefix(method, "Debugger.") {
		return params, true
	}
	var e struct {
		Context json.RawMessage `json:"context"`
		In      int64           `json:"executionContextId"`
		Script  string          `json:"scriptId"`
		Thrown  struct {
			In int64 `json:"executionContextId"`
		} `json:"exceptionDetails"`
	}
	if json.Unmarshal(params, &e) != nil {
		return nil, false
	}
	r := &realm{}
	if method == "Runtime.executionContextCreated" {
		if json.Unmarshal(e.Context, r) != nil {
			return nil, false
		}
		params = b.worldOf(params)
		r.event = params
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	in := s.realms.list[e.In]
	switch method {
	case "Runtime.executionContextCreated":
		if s.realms.list == nil {
			s.realms.list = map[int64]*realm{}
		}
		s.realms.list[r.ID] = r
		r.told = b.fits(s, r)
		return params, r.told && s.realms.hears
	case "Runtime.executionContextDestroyed":
		delete(s.realms.list, e.In)
		return params, in != nil && in.told && s.realms.hears
	case "Runtime.executionContextsCleared":
		clear(s.realms.list)
		clear(s.realms.scripts)
		return params, s.realms.hears
	case "Debugger.scriptParsed", "Debugger.scriptFailedToParse":
		return params, in != nil && in.told && s.realms.script(e.Script)
	case "Debugger.paused":
		return b.stopped(s, params)
	case "Debugger.resumed":
		return params, true
	}
	if e.In == 0 { // also of what is no more
		e.In = e.Thrown.In
		in = s.realms.list[e.In]
	}
	return params, s.realms.hears && (e.In == 0 || in != nil && in.told)
}

// maxScripts is how many scripts of a target a client is told of.
const maxScripts = 100_000

// script notes one that the client is told of. It reports whether there is room.
func (r *realms) script(id string) bool {
	if r.scripts == nil {
		r.scripts = map[string]bool{}
	}
	if len(r.scripts) >= maxScripts {
		return false
	}
	r.scripts[id] = true
	return true
}

// stopped has a debugger stop in the client's realms only. The lock is held.
func (b *browser) stopped(s *session, params json.RawMessage) (_ json.RawMessage, own bool) {
	var e map[string]json.RawMessage
	var frames, left []map[string]json.RawMessage
	if json.Unmarshal(params, &e) != nil || json.Unmarshal(e["callFrames"], &frames) != nil {
		return nil, false
	}
	for i, frame := range frames {
		var id string
		if _ = json.Unmarshal(frame["callFrameId"], &id); b.ownObject(s, id) {
			left = append(left, frame)
		} else if i == 0 {
			go s.Send("Debugger.resume", nil, nil)
			return nil, false
		}
	}
	if len(left) == len(frames) {
		return params, true
	}
	e["callFrames"] = encoded(left)
	return encoded(e), true
}

// retell tells of realms that the client may work in since something has become
// known. The lock is held.
func (b *browser) retell(s *session) {
	for _, id := range slices.Sorted(maps.Keys(s.realms.list)) {
		if r := s.realms.list[id]; !r.told && b.fits(s, r) {
			r.told = true
			b.tells(s, r)
		}
	}
}

// tells tells of a realm, where the client hears of them. The lock is held.
func (b *browser) tells(s *session, r *realm) {
	if s.realms.hears && r.told {
		b.say(message{Method: "Runtime.executionContextCreated", Params: r.event, Session: s.id})
	}
}

// ownRealm is one of the client's by its id, nil if it is none. The lock is held.
func (s *session) ownRealm(id int64) *realm {
	if r := s.realms.list[id]; r != nil && r.told {
		return r
	}
	return nil
}

// main is the realm in which what names none is run, nil if that is not the
// client's. The lock is held.
func (s *session) main() (first *realm) {
	for _, r := range s.realms.list {
		if r.Of.Type == "isolated" || r.Of.Frame != "" && r.Of.Frame != s.of || first != nil && r.ID > first.ID {
			continue
		}
		first = r
	}
	if first == nil || !first.told {
		return nil
	}
	return first
}
