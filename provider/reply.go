package provider

import (
	"bytes"
	"encoding/json"
	"slices"

	"pwpipe/provider/internal/rawjson"
)

// Reply is one line of output, nil for none.
type Reply struct {
	Line   []byte
	Failed bool
}

// RPCError is the error object of JSON-RPC 2.0, section 5.1.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// RPC is the error for JSON-RPC. Errors that the specification defines get its message;
// our own text is in data.
func (e *Error) RPC() RPCError {
	r := RPCError{Code: e.Kind.RPCCode(), Message: e.Error()}
	switch e.Kind {
	case KindParse:
		r.Message = "Parse error"
	case KindInvalid:
		r.Message = "Invalid Request"
	case KindUnknown:
		r.Message = "Method not found"
	default:
		r.Data = e.data()
		return r
	}
	own := *e
	own.Hint = e.Error()
	r.Data = own.data()
	return r
}

// data is the "data" member of a JSON-RPC error object.
func (e *Error) data() json.RawMessage {
	type plain Error // without the methods
	shown := plain(*e)
	if e.Kind == KindInternal {
		shown.Log = "" // a stack is for our log, not for callers
	}
	return rawjson.Encode(shown)
}

// Reply encodes the result or the error in the message's own dialect. Its line is nil
// for a notification.
func (m *Message) Reply(result json.RawMessage, err error) Reply {
	if m.Notify {
		return Reply{Failed: err != nil}
	}
	switch {
	case err == nil:
		return Reply{Line: m.line("result", result)}
	case m.RPC:
		return Reply{Line: m.line("error", rawjson.Encode(AsError(err).RPC())), Failed: true}
	}
	return Reply{Line: m.line("error", rawjson.Encode(AsError(err).Error())), Failed: true}
}

// line is a reply with one member besides the id.
func (m *Message) line(key string, value json.RawMessage) []byte {
	id := m.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	b := make([]byte, 0, len(id)+len(value)+48)
	if m.RPC {
		b = append(b, `{"jsonrpc":"2.0","id":`...)
	} else {
		b = append(b, `{"id":`...)
	}
	b = append(append(append(append(b, id...), `,"`...), key...), `":`...)
	return append(append(b, value...), '}')
}

// Notification encodes an event as a JSON-RPC notification.
func Notification(event json.RawMessage) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":"event","params":`), event...)
	return append(b, '}')
}

// Join makes one array of the replies of a batch's members, none if nothing is to be
// answered.
func Join(replies []Reply) (all Reply) {
	var lines [][]byte
	for _, r := range replies {
		all.Failed = all.Failed || r.Failed
		if r.Line != nil {
			lines = append(lines, r.Line)
		}
	}
	if lines != nil {
		all.Line = slices.Concat([]byte{'['}, bytes.Join(lines, []byte{','}), []byte{']'})
	}
	return all
}

// The output of lanes: lines are queued, and one writer owns the stream.

// push queues a line, nil to only wake the writer. The lock is held.
func (l *Lanes) push(line []byte) {
	if line != nil {
		l.outBytes += len(line)
		l.outbox = append(l.outbox, line)
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// expect announces an answer outside of any lane. The end of the stream waits for it.
// The sender calls done.
func (l *Lanes) expect() (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outside++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.outside--
		l.room.Broadcast()
	}
}

// send writes a line outside of any lane: answers to cancel, parse errors, messages of
// a server. It blocks while too much waits to be written.
func (l *Lanes) send(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.stopped && l.outBytes >= maxOutBytes {
		l.room.Wait()
	}
	if !l.stopped {
		l.push(line)
	}
}

// write is the one writer of the output. It writes all queued lines at once.
func (l *Lanes) write() {
	defer close(l.done)
	var buf []byte
	for range l.wake {
		l.mu.Lock()
		lines, closing := l.outbox, l.closing || l.stopped
		l.outbox = nil
		l.mu.Unlock()
		buf = buf[:0]
		written := 0
		for _, line := range lines {
			buf = append(append(buf, line...), '\n')
			written += len(line)
		}
		var err error
		if len(buf) > 0 {
			_, err = l.out.Write(buf)
		}
		if cap(buf) > 1<<20 {
			buf = nil // don't keep the memory of one large reply for ever
		}
		l.mu.Lock()
		l.outBytes -= written
		if err != nil {
			l.err = err
			l.stop()
		}
		l.start()
		l.room.Broadcast()
		empty := len(l.outbox) == 0
		l.mu.Unlock()
		if err != nil || closing && empty {
			return
		}
	}
}
