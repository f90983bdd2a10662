package cdp

import (
	"bytes"
	"encoding/json"
	"sync"
	"sync/atomic"
)

// Mouse is a mouse event that is sent to a page, at a point of its viewport.
type Mouse struct {
	Type string // mouseMoved, mousePressed, mouseReleased or mouseWheel
	X, Y float64
}

// mice are those who follow the mouse, by session.
type mice struct {
	any atomic.Int32 // so that nobody pays for it where nobody follows

	mu sync.Mutex
	of map[string]map[*func(Mouse)]bool
}

// OnMouse has fn called with each mouse event that is sent to the session, ours and the
// peer's. It runs before the event is sent, and must not wait.
func (s *Session) OnMouse(fn func(Mouse)) (remove func()) {
	m := &s.conn.mice
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[string]map[*func(Mouse)]bool{}
	}
	if m.of[s.id] == nil {
		m.of[s.id] = map[*func(Mouse)]bool{}
	}
	m.of[s.id][&fn] = true
	m.any.Add(1)
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.any.Add(-1)
		if delete(m.of[s.id], &fn); len(m.of[s.id]) == 0 {
			delete(m.of, s.id)
		}
	})
}

// longestMouse is more than a mouse event has.
const longestMouse = 1024

// tell tells those who follow the mouse about a message.
func (m *mice) tell(text []byte) {
	if m.any.Load() == 0 || len(text) > longestMouse || !bytes.Contains(text, []byte(`"Input.dispatchMouseEvent"`)) {
		return
	}
	var sent struct {
		SessionID, Method string
		Params            Mouse
	}
	if json.Unmarshal(bytes.TrimRight(text, "\x00"), &sent) != nil || sent.Method != "Input.dispatchMouseEvent" {
		return
	}
	m.mu.Lock()
	var all []func(Mouse)
	for fn := range m.of[sent.SessionID] {
		all = append(all, *fn)
	}
	m.mu.Unlock()
	for _, fn := range all {
		fn(sent.Params)
	}
}
