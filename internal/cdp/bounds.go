package cdp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// A page words some of what the browser writes, as long as it likes. So no message
// is held that is longer than longestRead, and long texts of a page's own accord are
// cut while they are read.
const (
	longestRead = 100 << 20 // as much as the browser itself takes
	longestText = 1 << 20   // bytes of a text in an event of those below
	peersText   = 64 << 10  // and for the peer, which keeps the beginning only
	keptEnd     = 512       // bytes of a message's ends: its id is in the one, its session in the other
)

// worded begin the events whose texts are cut: they come unasked, and many readers
// keep them.
var worded = [][]byte{
	[]byte(`{"method":"Runtime.consoleAPICalled",`), []byte(`{"method":"Runtime.exceptionThrown",`),
	[]byte(`{"method":"Log.entryAdded",`), []byte(`{"method":"Page.javascriptDialogOpening",`),
}

// tooLongError is a message too long to be read whole: only its ends were.
type tooLongError struct {
	head, tail []byte
	length     int
}

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a message of %d MiB, and no more than %d are passed on: ask for less at a time", e.length>>20, longestRead>>20)
}

// readLong goes on with a message that begins with m.
func readLong(r *bufio.Reader, m []byte) ([]byte, error) {
	var cut *cutter
	if startsWithOne(m, worded) {
		cut = &cutter{most: longestText}
	}
	whole := make([]byte, 0, 4*len(m))
	for err := bufio.ErrBufferFull; ; m, err = r.ReadSlice(0) {
		if cut != nil {
			whole = cut.add(whole, m)
		} else {
			whole = append(whole, m...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
		if len(whole) > longestRead {
			return nil, skip(r, whole)
		}
	}
}

// skip reads the rest of a message that is too long.
func skip(r *bufio.Reader, whole []byte) error {
	e := &tooLongError{head: bytes.Clone(whole[:keptEnd]), length: len(whole)}
	tail := whole[len(whole)-keptEnd:]
	for err := bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var m []byte
		m, err = r.ReadSlice(0)
		e.length += len(m)
		tail = append(bytes.Clone(tail), m...)
		tail = tail[len(tail)-keptEnd:]
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	e.tail = tail
	return e
}

// forPeer is a message as the peer is handed it.
func forPeer(m []byte) []byte {
	if len(m) <= peersText || !startsWithOne(m, worded) {
		return m
	}
	return (&cutter{most: peersText}).add(nil, m)
}

func startsWithOne(m []byte, list [][]byte) bool {
	for _, begin := range list {
		if bytes.HasPrefix(m, begin) {
			return true
		}
	}
	return false
}

// cutter copies JSON with its texts cut, in pieces as they come.
type cutter struct {
	most                 int // bytes of a text
	in, escaped, cutting bool
	hex, n               int // of \u0000 still to come; bytes of the text
}

// add appends what is left of a piece.
func (c *cutter) add(to, piece []byte) []byte {
	for _, b := range piece {
		switch {
		case !c.in:
			if b == '"' {
				*c = cutter{most: c.most, in: true}
			}
			to = append(to, b)
			continue
		case c.escaped:
			if c.escaped = false; b == 'u' {
				c.hex = 4
			}
		case c.hex > 0:
			c.hex--
		case b == '"':
			if c.cutting {
				to = append(to, "…"...)
			}
			*c = cutter{most: c.most}
			to = append(to, b)
			continue
		default:
			// A character begins, or one goes on.
			c.cutting = c.cutting || c.n >= c.most && b&0xC0 != 0x80
			c.escaped = b == '\\'
		}
		if c.n++; !c.cutting {
			to = append(to, b)
		}
	}
	return to
}

// Who asked, and in which session. A page can't fake the end: in its words a quote is
// escaped.
var (
	reAsked = regexp.MustCompile(`^\{"id":(\d+),`)
	reEnd   = regexp.MustCompile(`,"sessionId":"([^"]*)"\}\x00$`)
)

// tooLong answers for a message that was not read: an error for the one that asked. An event
// is lost.
func (c *Conn) tooLong(e *tooLongError) {
	m := reAsked.FindSubmatch(e.head)
	if m == nil {
		return
	}
	answer := struct {
		ID      json.RawMessage `json:"id"`
		Err     Error           `json:"error"`
		Session string          `json:"sessionId,omitempty"`
	}{ID: m[1], Err: Error{Code: -32000, Message: e.Error()}}
	if m := reEnd.FindSubmatch(e.tail); m != nil {
		answer.Session = string(m[1])
	}
	if text, err := json.Marshal(answer); err == nil {
		c.take(append(text, 0))
	}
}
