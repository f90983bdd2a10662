package cdpview

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// In a lent tab a client's code runs only in realms that the client has heard of: the
// realms of documents of the web. It does not run in a realm of an extension, nor in a
// document that has come since. Chromium enforces that: our commands name a realm by an id
// that no other realm ever has.

// ofWeb matches the origins of documents and workers of the web, and opaque ones.
var ofWeb = regexp.MustCompile(
	`^(?:(?:null|://)?$|data:|chrome-error:|blob:null/|(?:blob:|filesystem:)?(?:https?|ftp)://)`)

// fits reports whether the client may work in a realm. The lock is held.
func (w *worlds) fits(s *session, r *realm) bool {
	if r.Of.Type == "isolated" && !w.names[r.Name] {
		return false // an extension's, the driver's, or another client's
	}
	if s.of != s.page || r.Of.Frame != s.of {
		return ofWeb.MatchString(r.Origin) || w.shared.Shows(r.Origin+"/")
	}
	if !strings.HasPrefix(r.Origin, "http") {
		return ofWeb.MatchString(r.Origin)
	}
	at := w.url(s.of) // a pattern may match more than the origin
	return w.shared.Shows(r.Origin+"/") || strings.HasPrefix(at, r.Origin+"/") && w.shared.Shows(at)
}

// realmEvent is an event about realms, or about what happens in one.
type realmEvent struct {
	Context json.RawMessage `json:"context"`
	In      int64           `json:"executionContextId"`
	Script  string          `json:"scriptId"`
	Thrown  struct {
		In int64 `json:"executionContextId"`
	} `json:"exceptionDetails"`
}

// event is what an event of a lent tab tells the client; own is false if it is not the
// client's. It runs where the connection is read.
func (w *worlds) event(s *session, method string, params json.RawMessage) (_ json.RawMessage, own bool) {
	if !strings.HasPrefix(method, "Runtime.") && !strings.HasPrefix(method, "Debugger.") {
		return params, true
	}
	var e realmEvent
	if json.Unmarshal(params, &e) != nil {
		return nil, false
	}
	if method == "Runtime.executionContextCreated" {
		return w.created(s, e, w.renamed(params))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	in := s.realms.allowed(e.In)
	switch method {
	case "Runtime.executionContextDestroyed":
		delete(s.realms.list, e.In)
		return params, in != nil && s.realms.enabled
	case "Runtime.executionContextsCleared":
		clear(s.realms.list)
		clear(s.realms.scripts)
		return params, s.realms.enabled
	case "Debugger.scriptParsed", "Debugger.scriptFailedToParse":
		return params, in != nil && s.realms.addScript(e.Script)
	case "Debugger.paused":
		return s.pausedFrames(params)
	case "Debugger.resumed":
		return params, true
	}
	if e.In == 0 { // an event of no realm, or of an error
		e.In = e.Thrown.In
		in = s.realms.allowed(e.In)
	}
	return params, s.realms.enabled && (e.In == 0 || in != nil)
}

func (w *worlds) created(s *session, e realmEvent, params json.RawMessage) (_ json.RawMessage, own bool) {
	r := &realm{event: params}
	if json.Unmarshal(e.Context, r) != nil {
		return nil, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s.realms.list[r.ID] = r
	r.allowed = w.fits(s, r)
	return params, r.allowed && s.realms.enabled
}

// reviewRealms tells a session of realms in which the client may work now, since another
// world or URL is known.
func (w *worlds) reviewRealms(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(s.realms.list)) {
		if r := s.realms.list[id]; !r.allowed && w.fits(s, r) {
			r.allowed = true
			w.tell(s, r)
		}
	}
}

// tell sends the event of a realm, if the client has enabled Runtime. The lock is held.
func (w *worlds) tell(s *session, r *realm) {
	if s.realms.enabled && r.allowed {
		w.say(message{Method: "Runtime.executionContextCreated", Params: r.event, Session: s.id})
	}
}

// enable starts to report realms to the client. It reports the known realms at once.
func (w *worlds) enable(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &s.realms
	first := !r.enabled
	r.enabled = true
	if r.state == realmsUnknown {
		r.state = realmsAsked
	} else if first {
		for _, id := range slices.Sorted(maps.Keys(r.list)) {
			w.tell(s, r.list[id])
		}
	}
}

func (w *worlds) disable(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.realms.enabled = false
}

// await keeps a command until the realms of its session are known. If the client has not
// enabled Runtime, we do. It reports whether the command waits.
func (w *worlds) await(s *session, do func()) (waits bool, _ error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &s.realms
	if r.state == realmsKnown && !r.draining {
		return false, nil
	}
	if len(r.waits) >= maxCalls {
		return false, errors.New("too many messages wait for the page to report its execution contexts")
	}
	r.waits = append(r.waits, do)
	if r.state == realmsUnknown {
		r.state = realmsAsked
		go s.Send("Runtime.enable", nil, func(_ json.RawMessage, err error) { w.answered(s, err) })
	}
	return true, nil
}

// answered: the browser has reported all realms of a session, or has failed to. The
// commands that wait for that are sent.
func (w *worlds) answered(s *session, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &s.realms
	if r.state == realmsAsked {
		r.state = realmsKnown
		if err != nil {
			r.state = realmsUnknown
		}
	}
	if r.draining || len(r.waits) == 0 {
		return
	}
	r.draining = true
	go func() {
		for next := w.nextWaiting(r); next != nil; next = w.nextWaiting(r) {
			next()
		}
	}()
}

// nextWaiting is the next command that waits, nil after the last one.
func (w *worlds) nextWaiting(r *realms) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(r.waits) == 0 {
		r.draining = false
		return nil
	}
	next := r.waits[0]
	r.waits = r.waits[1:]
	return next
}

// realm is a realm of the client's by its id, nil if the client may not work there.
func (w *worlds) realm(s *session, id int64) *realm {
	w.mu.Lock()
	defer w.mu.Unlock()
	return s.realms.allowed(id)
}

// mainRealm is where code runs that names no realm, nil if the client may not work there.
func (w *worlds) mainRealm(s *session) (first *realm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range s.realms.list {
		foreign := r.Of.Type == "isolated" || r.Of.Frame != "" && r.Of.Frame != s.of
		if foreign || first != nil && r.ID > first.ID {
			continue
		}
		first = r
	}
	if first == nil || !first.allowed {
		return nil
	}
	return first
}

// judge checks the realms, scripts and objects that a command of a lent tab names: they
// are to be the client's. All of their ids could be guessed.
func (w *worlds) judge(s *session, params map[string]json.RawMessage) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, raw := range params {
		var id string
		switch lower := strings.ToLower(name); {
		case string(raw) == "null":
			continue
		case lower == "executioncontextid":
			var n int64
			if json.Unmarshal(raw, &n) != nil || s.realms.allowed(n) == nil {
				return errNoRealm
			}
		case lower == "uniquecontextid":
			if json.Unmarshal(raw, &id) != nil || !s.realms.allowedUnique(id) {
				return &cdp.Error{Code: codeNoParams, Message: "uniqueContextId not found"}
			}
		case lower == "scriptid":
			if json.Unmarshal(raw, &id) != nil || !s.realms.scripts[id] {
				return chromiums("No script with passed id")
			}
		case strings.HasSuffix(lower, "objectid") || lower == "callframeid":
			if json.Unmarshal(raw, &id) != nil || !s.realms.allowedObject(id) {
				return errNoObject
			}
		}
	}
	return nil
}
