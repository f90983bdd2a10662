package cdpview

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
)

// maxUnread is how many bytes may wait for a client that does not read, beside the longest
// message, which takes its time. If there are more, the client is disconnected: others must
// not wait for it, and the messages can't be kept without end.
const maxUnread = 64 << 20

var errUnread = errors.New("over a limit: the client does not read its messages")

// outbox writes the messages for a client in its own goroutine: they come from the
// goroutine that reads the browser for all clients.
type outbox struct {
	client Client
	unread *pot
	ctx    context.Context // ends when the client is gone, or does not read
	fail   context.CancelCauseFunc
	ended  chan struct{} // closed when nothing is written any more

	mu     sync.Mutex
	change sync.Cond
	list   [][]byte
	bytes  int // counted in unread
	most   int // bytes of the longest message since nothing waited
	closed bool
}

func newOutbox(c Client, unread *pot) *outbox {
	o := &outbox{client: c, unread: unread, ended: make(chan struct{})}
	o.ctx, o.fail = context.WithCancelCause(context.Background())
	o.change.L = &o.mu
	go o.write()
	return o
}

func (o *outbox) put(m []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	err := errUnread
	if o.bytes-o.most <= maxUnread {
		err = o.unread.take(len(m))
	}
	if err != nil {
		o.closed, o.list = true, nil
		o.fail(err)
	} else {
		o.list, o.bytes, o.most = append(o.list, m), o.bytes+len(m), max(o.most, len(m))
	}
	o.change.Signal()
}

// reason is why the client is disconnected, nil if it leaves by itself.
func (o *outbox) reason() error {
	if why := context.Cause(o.ctx); why != context.Canceled {
		return why
	}
	return nil
}

// close ends the outbox once all that waits has been written.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Signal()
}

// lastTime is how long a client that leaves may take to read its last answers.
const lastTime = time.Second

// finish is close, and waits for it: the answer to Browser.close is the last one.
func (o *outbox) finish() {
	o.close()
	select {
	case <-o.ended:
	case <-time.After(lastTime):
	}
}

func (o *outbox) write() {
	defer close(o.ended)
	defer func() { // what was never written ends, too
		o.mu.Lock()
		defer o.mu.Unlock()
		o.unread.give(o.bytes)
		o.bytes, o.list, o.closed = 0, nil, true
	}()
	for {
		o.mu.Lock()
		for len(o.list) == 0 && !o.closed {
			o.change.Wait()
		}
		list := o.list
		o.list = nil
		o.mu.Unlock()
		if len(list) == 0 {
			return
		}
		for i, m := range list {
			if o.reason() != nil || o.client.Write(m) != nil {
				o.fail(nil)
				return
			}
			list[i] = nil
			o.unread.give(len(m))
			o.mu.Lock()
			if o.bytes -= len(m); o.bytes == 0 {
				o.most = 0
			}
			o.mu.Unlock()
		}
	}
}

type message struct {
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *cdp.Error      `json:"error,omitempty"`
	Session string          `json:"sessionId,omitempty"`

	held int // bytes in the budget, until the command ends
}

var nothing = json.RawMessage("{}")

// encoded is a value as JSON, nil if it can't be encoded. Raw JSON in it keeps its length.
func encoded(v any) json.RawMessage {
	raw, _ := cdp.Encode(v)
	return raw
}

// maxDeep is how deep Chromium reads nested arrays and objects. If a message is deeper, it
// does not read its id either, and does not answer.
const maxDeep = 300

// deep says whether a message, which is JSON, is deeper than that.
func deep(m []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(m); i++ {
		switch c := m[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDeep {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// text encodes a message. Its parts are JSON already and may be long: they stay as they are.
func (m message) text() []byte {
	text := make([]byte, 0, len(m.Params)+len(m.Result)+200)
	member := func(name string, raw []byte) {
		text = append(text, map[bool]byte{true: '{', false: ','}[len(text) == 0])
		text = append(append(strconv.AppendQuote(text, name), ':'), raw...)
	}
	if m.ID != nil {
		member("id", strconv.AppendInt(nil, *m.ID, 10))
	}
	if m.Method != "" {
		member("method", encoded(m.Method))
	}
	if len(m.Params) > 0 {
		member("params", m.Params)
	}
	if len(m.Result) > 0 {
		member("result", m.Result)
	}
	if m.Error != nil {
		member("error", encoded(m.Error))
	}
	if m.Session != "" {
		member("sessionId", encoded(m.Session))
	}
	return append(text, '}')
}
