package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
)

// Relay lets a peer use the connection too. Its messages pass unchanged, and it gets
// everything except the replies to our calls and the events of our sessions. Relay
// returns when the peer's end is closed (nil) or the browser's ([ErrGone]). There is
// one peer at a time.
func (c *Conn) Relay(r io.Reader, w io.WriteCloser) error {
	q := NewOutbox(0)
	c.mu.Lock()
	switch {
	case c.ended:
		c.mu.Unlock()
		return ErrGone
	case c.peer != nil:
		c.mu.Unlock()
		return errors.New("somebody else speaks beside us")
	}
	c.peer = q
	c.mu.Unlock()
	go func() {
		_, _ = io.CopyBuffer(counted{w, &c.passed}, q, make([]byte, firstBuffer))
		_ = q.Close()
		_ = w.Close() // the browser is gone, or the peer does not read
	}()
	defer func() {
		c.mu.Lock()
		c.peer = nil
		c.mu.Unlock()
		_ = q.Close()
	}()
	for in := newReader(r); ; {
		m, err := in.next(longestTold)
		var long *tooLongError
		if errors.As(err, &long) { // it would end the browser
			c.tooLong(long)
			continue
		}
		if err != nil {
			if c.Ended() {
				return ErrGone
			}
			return nil // half a message is dropped
		}
		if err := c.send(m); err != nil {
			return ErrGone
		}
	}
}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	n *atomic.Int64
}

func (c counted) Write(m []byte) (int, error) {
	n, err := c.Writer.Write(m)
	c.n.Add(int64(n))
	return n, err
}

// countedReader counts the bytes that are read.
type countedReader struct {
	io.Reader
	n *atomic.Int64
}

func (c countedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// maxQueued bounds the bytes that wait for a peer that does not read; above it the browser has to
// wait too.
const maxQueued = 64 << 20

// opensWindow is the beginning of the event of a page that opens a window.
var opensWindow = []byte(`{"method":"Page.windowOpen",`)

// windowSides bound the size of a window that a page opens, to that of a large screen.
// A browser with a screen cuts windows to it. Ours has none, and the peer gives the new
// page any requested viewport, which can crash the browser.
var windowSides = map[string]int{"width=": 3840, "height=": 2160}

// modest is a message for the peer, in which no page requests a window larger than a
// screen.
func modest(m []byte) []byte {
	if !bytes.HasPrefix(m, opensWindow) {
		return m
	}
	var event, params map[string]json.RawMessage
	var features []string
	if json.Unmarshal(m[:len(m)-1], &event) != nil || json.Unmarshal(event["params"], &params) != nil ||
		json.Unmarshal(params["windowFeatures"], &features) != nil {
		return m
	}
	changed := false
	for i, f := range features {
		for name, most := range windowSides {
			side, ok := strings.CutPrefix(f, name)
			if n, err := strconv.Atoi(side); ok && (err != nil || n > most) {
				features[i], changed = name+strconv.Itoa(most), true
			}
		}
	}
	if !changed {
		return m
	}
	params["windowFeatures"], _ = json.Marshal(features)
	event["params"], _ = json.Marshal(params)
	text, _ := json.Marshal(event)
	return append(text, 0)
}

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
	if !opens {
		c.leave(id)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != "" && target != "" && c.beside[target] == nil {
		c.beside[target] = &Session{conn: c, id: id, gone: make(chan struct{})}
	}
}

// shortener makes messages fit for the peer.
type shortener struct{ buffer []byte }

// forPeer is a message in the form for the peer, valid until the next call.
func (s *shortener) forPeer(m []byte) []byte {
	var cut *cutter
	switch {
	case len(m) <= peersText:
		return m
	case startsWithOne(m, worded):
		cut = &cutter{most: peersText}
	case startsWithOne(m, addressed):
		cut = &cutter{most: peersText, whole: bodies}
	default:
		return m
	}
	short := cut.add(s.buffer[:0], m)
	if s.buffer = short; cap(short) > keptBuffer {
		s.buffer = nil
	}
	return short
}
