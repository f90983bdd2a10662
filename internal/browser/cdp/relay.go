package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Relay lets a peer use the connection too. Its messages pass unchanged, and it gets
// everything except the replies to our calls and the events of our sessions. Relay
// returns when the peer's end is closed (nil) or the browser's ([ErrGone]). There is
// one peer at a time.
func (c *Conn) Relay(r io.Reader, w io.WriteCloser) error {
	q := newQueue()
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
		q.drain(counted{w, &c.passed})
		_ = w.Close() // the browser is gone, or the peer does not read
	}()
	defer func() {
		c.mu.Lock()
		c.peer = nil
		c.mu.Unlock()
		q.close()
	}()
	for in := newReader(r); ; {
		m, err := in.next(longestTold)
		var long *tooLongError
		if errors.As(err, &long) { // it would end the browser
			c.tooLong(long)
			continue
		}
		if err != nil {
			if c.root.ended() {
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
	for at := 0; at < len(m); { // a long message is written in pieces
		n, err := c.Writer.Write(m[at:min(len(m), at+longPiece)])
		c.n.Add(int64(n))
		if at += n; err != nil {
			return at, err
		}
	}
	return len(m), nil
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

// longPiece is more than a pipe holds.
const longPiece = 1 << 20

// maxQueued bounds the bytes that wait for a peer that does not read, those that are being
// written included; above it the browser has to wait too.
const maxQueued = 64 << 20

// queue keeps messages for the peer, so that a busy peer does not delay ours.
type queue struct {
	mu     sync.Mutex
	change sync.Cond
	list   [][]byte
	bytes  int // of the list, and of what drain writes
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.change.L = &q.mu
	return q
}

// put queues a copy of a message.
func (q *queue) put(m []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.bytes > maxQueued && !q.closed {
		q.change.Wait()
	}
	if q.closed {
		return
	}
	q.list = append(q.list, bytes.Clone(m))
	q.bytes += len(m)
	q.change.Broadcast()
}

// close ends the queue. Queued messages are still written.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Broadcast()
}

// next waits for messages. It returns a long one, or the short ones before the next long one,
// joined in buffer: one write wakes the peer once. It is empty at the end. written is how much
// was written of what it returned before.
func (q *queue) next(buffer []byte, written int) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= written
	q.change.Broadcast()
	for len(q.list) == 0 && !q.closed {
		q.change.Wait()
	}
	for len(q.list) > 0 && len(buffer)+len(q.list[0]) <= cap(buffer) {
		buffer = append(buffer, q.take()...)
	}
	if len(buffer) > 0 || len(q.list) == 0 {
		return buffer
	}
	return q.take()
}

// take removes the first message. The lock is held.
func (q *queue) take() []byte {
	m := q.list[0]
	q.list[0] = nil
	if q.list = q.list[1:]; len(q.list) == 0 {
		q.list = nil
	}
	return m
}

// drain writes messages until the queue's end, or w's.
func (q *queue) drain(w io.Writer) {
	buffer := make([]byte, 0, firstBuffer)
	for m := q.next(buffer, 0); len(m) > 0; m = q.next(buffer, len(m)) {
		if _, err := w.Write(m); err != nil {
			q.close()
			return
		}
	}
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
