package cdpview

import (
	"encoding/json"
	"regexp"
	"strconv"
)

// realm is an execution context, as Chromium reports it.
type realm struct {
	ID     int64  `json:"id"`
	Unique string `json:"uniqueId"`
	Origin string `json:"origin"`
	Name   string `json:"name"`
	Of     struct {
		Type  string `json:"type"`
		Frame string `json:"frameId"`
	} `json:"auxData"`

	event   json.RawMessage
	allowed bool // the client may work in it
}

// realms are the execution contexts of a session's target. Every method needs the lock of
// worlds.
type realms struct {
	state    realmsState
	enabled  bool // the client has enabled Runtime, not only we
	list     map[int64]*realm
	scripts  map[string]bool // that the client has heard of
	waits    []func()        // commands that wait until the realms are known
	draining bool            // those commands are being sent
}

type realmsState int

const (
	realmsUnknown realmsState = iota
	realmsAsked
	realmsKnown
)

const (
	maxWorlds  = 1000    // worlds that a client may name
	maxScripts = 100_000 // scripts of a target that a client hears of
)

// allowed is a realm by its id, nil if the client may not work there.
func (r *realms) allowed(id int64) *realm {
	if in := r.list[id]; in != nil && in.allowed {
		return in
	}
	return nil
}

func (r *realms) allowedUnique(id string) bool {
	for _, in := range r.list {
		if in.allowed && in.Unique == id {
			return true
		}
	}
	return false
}

// objectID is how V8 names objects and call frames for a session: isolate (which is
// random), realm, number.
var objectID = regexp.MustCompile(`^-?[0-9]{1,20}\.([0-9]{1,9})\.[0-9]{1,9}$`)

// allowedObject reports whether an object, or a call frame, is in a realm of the client's.
func (r *realms) allowedObject(id string) bool {
	parts := objectID.FindStringSubmatch(id)
	if parts == nil {
		return false
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	return err == nil && r.allowed(n) != nil
}

// addScript notes a script that the client hears of. It reports whether there is room.
func (r *realms) addScript(id string) bool {
	if len(r.scripts) >= maxScripts {
		return false
	}
	r.scripts[id] = true
	return true
}

// pausedFrames are the call frames of Debugger.paused in the client's realms. If the
// debugger has stopped in another realm, it goes on.
func (s *session) pausedFrames(params json.RawMessage) (_ json.RawMessage, own bool) {
	var e map[string]json.RawMessage
	var frames, allowed []map[string]json.RawMessage
	if json.Unmarshal(params, &e) != nil || json.Unmarshal(e["callFrames"], &frames) != nil {
		return nil, false
	}
	for i, frame := range frames {
		var id string
		if _ = json.Unmarshal(frame["callFrameId"], &id); s.realms.allowedObject(id) {
			allowed = append(allowed, frame)
		} else if i == 0 {
			go s.Send("Debugger.resume", nil, nil)
			return nil, false
		}
	}
	if len(allowed) == len(frames) {
		return params, true
	}
	e["callFrames"] = encoded(allowed)
	return encoded(e), true
}
