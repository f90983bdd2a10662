package cdp

import (
	"bytes"
	"encoding/json"
)

// Beside is the peer's session with a target, for calls of ours in it. Then both share
// what belongs to a session, such as isolated worlds. Replies come to us by their ids;
// events go only to the peer. It is nil if no session of the peer is known.
func (c *Conn) Beside(target string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.beside[target]
}

var (
	attached = []byte(`{"method":"Target.attachedToTarget",`)
	detached = []byte(`{"method":"Target.detachedFromTarget",`)
)

// notice looks at an event for the peer to learn its sessions. If it has several with a
// target, the first counts, which came with the target.
func (c *Conn) notice(m []byte) {
	opens := bytes.HasPrefix(m, attached)
	if !opens && !bytes.HasPrefix(m, detached) {
		return
	}
	var e struct {
		Params struct {
			SessionID  string
			TargetInfo struct{ TargetID string }
		}
	}
	if json.Unmarshal(m[:len(m)-1], &e) != nil {
		return
	}
	id, target := e.Params.SessionID, e.Params.TargetInfo.TargetID
	c.mu.Lock()
	defer c.mu.Unlock()
	if opens {
		if id != "" && target != "" && c.beside[target] == nil {
			c.beside[target] = &Session{conn: c, id: id, gone: make(chan struct{})}
		}
		return
	}
	for target, s := range c.beside {
		if s.id == id {
			close(s.gone)
			delete(c.beside, target)
		}
	}
}
