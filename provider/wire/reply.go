package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// Reply is one line of output, nil for none.
type Reply struct {
	Line   []byte
	Failed bool
}

// ReplyTo encodes the result or the error in the message's own dialect. Its line is nil
// for a notification.
func ReplyTo(m *provider.Message, result json.RawMessage, err error) Reply {
	if m.Notify {
		return Reply{Failed: err != nil}
	}
	switch {
	case m.RPC && err == nil:
		return Reply{Line: respond(m, jsonrpc2.Response{Result: &result})}
	case m.RPC:
		return Reply{Line: respond(m, jsonrpc2.Response{Error: provider.AsError(err).RPC()}), Failed: true}
	case err == nil:
		return Reply{Line: reply(`{"id":`, m.ID, "result", result)}
	}
	return Reply{Line: reply(`{"id":`, m.ID, "error", rawjson.Encode(provider.AsError(err).Error())), Failed: true}
}

// reply is an object with an id, null for none, and one more member.
func reply(start string, id json.RawMessage, key string, value json.RawMessage) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	b := append(make([]byte, 0, len(id)+len(value)+48), start...)
	b = append(append(append(append(b, id...), `,"`...), key...), `":`...)
	return append(append(b, value...), '}')
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

// output is a line that waits to be written.
type output struct {
	line    []byte
	written func() // nil for nobody
}

// push queues a line, none to only wake the writer. The lock is held.
func (l *Lanes) push(o output) {
	if o.line != nil {
		l.outBytes += len(o.line)
		l.outbox = append(l.outbox, o)
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
		l.push(output{line: line})
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
		for _, o := range lines {
			buf = append(append(buf, o.line...), '\n')
			written += len(o.line)
		}
		var err error
		if len(buf) > 0 {
			_, err = l.out.Write(buf)
		}
		for _, o := range lines {
			if o.written != nil {
				o.written()
			}
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
