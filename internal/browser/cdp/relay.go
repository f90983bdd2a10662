package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
)

// Relay lets a peer use the connection too. Its messages pass unchanged, and it gets
// everything except the replies to our calls and the events of our sessions. Relay
// returns when the peer's end is closed (nil) or the browser's ([ErrGone]). There is
// one peer at a time.
func (c *Conn) Relay(r io.Reader, w io.WriteCloser) error {
	q := newLanes(c.flooded)
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

// OnFlood has fn called with the target of a page, or of a worker without one, whose events are
// too many for the peer: the peer gets none any more. It runs in a goroutine of its own.
func (c *Conn) OnFlood(fn func(target string)) { c.flood.Store(&fn) }

func (c *Conn) flooded(target string) {
	if fn := c.flood.Load(); fn != nil {
		go (*fn)(target)
	}
}

// forward gives a message to the peer.
func (c *Conn) forward(q *lanes, m []byte, session string, id int64) {
	of := event
	switch {
	case id != 0:
		of, session = answer, answeredIn(m)
	case startsWithOne(m, spares):
		of = spare
	}
	q.put(session, of, func(bodies func(int) bool) []byte { return bytes.Clone(modest(c.short.forPeer(m, bodies))) })
}

// answeredIn is the session in which a command was answered. A page can't fake the end: quotes in
// its texts are escaped.
func answeredIn(m []byte) string {
	rest, ok := bytes.CutSuffix(m, []byte("\"}\x00"))
	start := bytes.LastIndexByte(rest, '"')
	if !ok || start < 0 || !bytes.HasSuffix(rest[:start], []byte(`},"sessionId":`)) {
		return ""
	}
	return string(rest[start+1:])
}

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

// notice looks at an event of a session to learn which were opened. If the peer has several with
// a target, the first counts, which came with the target.
func (c *Conn) notice(q *lanes, m []byte, by string, peers bool) {
	opens := bytes.HasPrefix(m, attached)
	if !opens && !bytes.HasPrefix(m, detached) {
		return
	}
	var e struct {
		Params struct {
			SessionID  string
			TargetInfo struct {
				TargetID string
				Type     string
				Context  string `json:"browserContextId"`
			}
		}
	}
	if json.Unmarshal(m[:len(m)-1], &e) != nil {
		return
	}
	id, target := e.Params.SessionID, e.Params.TargetInfo.TargetID
	if !opens {
		q.leave(id)
		if peers {
			c.leave(id)
		}
		return
	}
	if e.Params.TargetInfo.Type != "browser" { // its sessions have pages, and are no part of one
		q.enter(id, by, target, e.Params.TargetInfo.Context)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if peers && id != "" && target != "" && c.beside[target] == nil {
		c.beside[target] = &Session{conn: c, id: id, gone: make(chan struct{})}
	}
}

// shortener makes messages fit for the peer.
type shortener struct{ buffer []byte }

// inFrame is in the event of a navigation, before any text of a page, if the frame is in
// another.
var inFrame = regexp.MustCompile(`^\{"method":"Page\.frameNavigated","params":\{"frame":\{"id":"\w*","parentId":"`)

// forPeer is a message in the form for the peer, valid until the next call. bodies says whether
// there is room for the bytes of a request's body.
func (s *shortener) forPeer(m []byte, bodies func(bytes int) bool) []byte {
	if len(m) <= framesText {
		return m
	}
	cut := &cutter{most: peersText, all: peersTexts}
	switch {
	case isAnswer(m), startsWithOne(m, wholeEvents):
		return m
	case startsWithOne(m, posts): // it needs the encoded body only
		cut.of = map[string]int{"postData": 0, "bytes": unbounded}
		if !bodies(len(m)) {
			cut.of["bytes"] = 0
		}
	case inFrame.Match(m[:min(len(m), 200)]):
		cut.most = framesText
	case len(m) <= peersText:
		return m
	case isBinaryFrame(m):
		cut.of = map[string]int{"payloadData": 2 * peersText}
	}
	short := cut.add(s.buffer[:0], m)
	if s.buffer = short; cap(short) > keptBuffer {
		s.buffer = nil
	}
	return short
}
