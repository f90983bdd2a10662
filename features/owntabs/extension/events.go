package extension

import (
	"encoding/json"
	"slices"
)

// maxUnread is how many bytes may wait for the driver before the browser has to wait.
const maxUnread = 64 << 20

// event passes on an event of a tab, or of a part of it.
func (b *browser) event(m said) {
	b.out.Await(maxUnread)
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.tabs, func(t *tab) bool { return t.id == m.Tab })
	if at < 0 || b.sessions == nil {
		return
	}
	t := b.tabs[at]
	if m.Session == "" {
		b.ofMain(t, m)
		return
	}
	s := b.sessions[m.Session]
	if s == nil || s.tab != t || !s.part {
		return
	}
	b.ofParts(s, m)
	b.say(message{Method: m.Method, Params: m.Params, Session: s.id})
}

// ofMain passes an event on to all sessions with the tab. Those about its parts are for one:
// a part has one session. The lock is held.
func (b *browser) ofMain(t *tab, m said) {
	switch m.Method {
	case "Target.attachedToTarget", "Target.detachedFromTarget":
		if t.main != nil {
			b.say(message{Method: m.Method, Params: m.Params, Session: t.main.id})
			b.ofParts(t.main, m)
		}
		return
	case "Page.frameNavigated", "Page.navigatedWithinDocument":
		b.moved(t, m.Params)
	default:
		t.worlds.note(m)
	}
	for _, s := range b.sessions {
		if s.tab == t && !s.part {
			b.say(message{Method: m.Method, Params: m.Params, Session: s.id})
		}
	}
}

// ofParts notes sessions with frames and workers below a session. The lock is held.
func (b *browser) ofParts(s *session, m said) {
	var p struct {
		Session string `json:"sessionId"`
	}
	if json.Unmarshal(m.Params, &p) != nil || p.Session == "" {
		return
	}
	switch known := b.sessions[p.Session]; m.Method {
	case "Target.attachedToTarget":
		if known == nil {
			b.sessions[p.Session] = &session{id: p.Session, parent: s, tab: s.tab, part: true}
		}
	case "Target.detachedFromTarget":
		if known != nil && known.part && known.tab == s.tab {
			delete(b.sessions, p.Session)
		}
	}
}

// moved notes where a tab is. The lock is held.
func (b *browser) moved(t *tab, event jsonObject) {
	var p struct {
		Frame struct {
			ID       string `json:"id"`
			Parent   string `json:"parentId"`
			URL      string `json:"url"`
			Fragment string `json:"urlFragment"`
		} `json:"frame"`
		FrameID string `json:"frameId"`
		URL     string `json:"url"`
	}
	if json.Unmarshal(event, &p) != nil || p.Frame.Parent != "" {
		return
	}
	switch {
	case p.Frame.ID != "":
		t.info.URL, t.info.Title = p.Frame.URL+p.Frame.Fragment, ""
	case p.FrameID == t.info.ID: // the main frame has its target's id
		t.info.URL = p.URL
	default:
		return
	}
	b.discovered("Target.targetInfoChanged", object{"targetInfo": t.info})
}

// worlds are the execution contexts of a tab, of which Chromium reports each once. nil:
// Runtime is not enabled.
type worlds []world

type world struct {
	id     int64
	params jsonObject // of the event that created it
}

// note notes an event.
func (w *worlds) note(m said) {
	var p struct {
		Context struct {
			ID int64 `json:"id"`
		} `json:"context"`
		ID int64 `json:"executionContextId"`
	}
	switch m.Method {
	case "Runtime.executionContextsCleared":
		*w = nil
	case "Runtime.executionContextCreated":
		if json.Unmarshal(m.Params, &p) == nil {
			*w = append(*w, world{p.Context.ID, m.Params})
		}
	case "Runtime.executionContextDestroyed":
		if json.Unmarshal(m.Params, &p) == nil {
			*w = slices.DeleteFunc(*w, func(one world) bool { return one.id == p.ID })
		}
	}
}
