package cdp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Pages control some texts in the browser's messages, of any length. So no message
// longer than longestSaid is held in memory, and long texts that a page sends unasked
// are cut while they are read.
const (
	longestTold = 100 << 20 // to the browser: as much as it accepts
	longestSaid = 48 << 20  // from the browser: a body of 32 MiB fits, the most that a renderer keeps
	longestText = 1 << 20   // bytes of a text in one of the events below
	longestURL  = 4 << 10   // in the browser's target events: a page's address may have two million characters
	peersText   = 64 << 10  // and for the peer, which keeps only the beginning
	keptEnd     = 512       // bytes of a message's ends: one has its id, the other its session
)

// worded are the beginnings of events whose texts are cut: they come unasked, and many
// readers keep them.
var worded = [][]byte{
	[]byte(`{"method":"Runtime.consoleAPICalled",`), []byte(`{"method":"Runtime.exceptionThrown",`),
	[]byte(`{"method":"Log.entryAdded",`), []byte(`{"method":"Page.javascriptDialogOpening",`),
}

// ofTargets matches the beginning of target events and target lists. They come for each
// client, and for each page.
var ofTargets = regexp.MustCompile(`^\{(?:"method":"Target\.(?:targetCreated|targetInfoChanged|attachedToTarget)",|"id":\d+,"result":\{"targetInfos?":)`)

// longestOf is the longest text in a message that begins with m; 0 for no bound.
func longestOf(m []byte) int {
	switch {
	case ofTargets.Match(m[:min(len(m), 100)]):
		return longestURL
	case startsWithOne(m, worded):
		return longestText
	}
	return 0
}

// addressed are the beginnings of events with a request's address, in several texts. A
// page's address has at most 2 MiB. The peer uses the whole address in
// Fetch.requestPaused if it intercepts the request. Bodies are not cut.
var addressed = [][]byte{
	[]byte(`{"method":"Network.requestWillBeSent`), []byte(`{"method":"Network.responseReceived`), // and their ExtraInfo
	[]byte(`{"method":"Network.webSocketCreated",`),
}

// bodies are the members with a request's body in such an event.
var bodies = map[string]bool{"postData": true, "bytes": true}

// tooLongError is a message too long to be read whole: only its ends were.
type tooLongError struct {
	head, tail []byte
	length     int
	most       int // that is passed on
}

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a message of %d MiB, and no more than %d are passed on: ask for less at a time", e.length>>20, e.most>>20)
}

// readLong continues with a message that begins with m, and appends all of it to whole.
func readLong(r *bufio.Reader, whole, m []byte, most int) ([]byte, error) {
	var cut *cutter
	if most := longestOf(m); most > 0 {
		cut = &cutter{most: most}
	}
	for err := bufio.ErrBufferFull; ; m, err = r.ReadSlice(0) {
		if cut != nil {
			whole = cut.add(whole, m)
		} else {
			whole = append(whole, m...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
		if len(whole) > most {
			return nil, skip(r, whole, most)
		}
	}
}

// skip reads the rest of a message that is too long.
func skip(r *bufio.Reader, whole []byte, most int) error {
	e := &tooLongError{head: bytes.Clone(whole[:keptEnd]), length: len(whole), most: most}
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

func startsWithOne(m []byte, list [][]byte) bool {
	for _, begin := range list {
		if bytes.HasPrefix(m, begin) {
			return true
		}
	}
	return false
}

// cutter copies JSON and cuts its texts, in pieces as they come.
type cutter struct {
	most  int             // bytes of a text
	whole map[string]bool // members whose texts are not cut

	in, escaped, cutting, spared bool
	hex, n                       int    // of \u0000 still to come; bytes of the text
	word                         []byte // the beginning of the last text
	key                          string // the member of the current text, "" for none
}

// maxOfKey is longer than the name of any member above.
const maxOfKey = 16

// add appends what remains of a piece.
func (c *cutter) add(to, piece []byte) []byte {
	for i := 0; i < len(piece); {
		if c.in && !c.escaped && c.hex == 0 {
			plain := bytes.IndexAny(piece[i:], `"\`)
			if plain < 0 {
				plain = len(piece) - i
			}
			if plain > 0 {
				to = c.text(to, piece[i:i+plain])
				i += plain
				continue
			}
		}
		b := piece[i]
		i++
		switch {
		case !c.in:
			c.outside(b)
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
			c.in, c.key = false, ""
			to = append(to, b)
			continue
		default: // a \: an escape begins
			c.cutting = c.cutting || c.n >= c.most && !c.spared
			c.escaped = true
		}
		if c.n++; !c.cutting {
			to = append(to, b)
		}
	}
	return to
}

// outside continues outside of texts.
func (c *cutter) outside(b byte) {
	switch b {
	case '"':
		c.in, c.cutting, c.spared, c.n, c.word = true, false, c.whole[c.key], 0, c.word[:0]
	case ':':
		c.key = string(c.word)
	case ',', '{', '[':
		c.key = ""
	}
}

// text appends a part of a text without escapes.
func (c *cutter) text(to, part []byte) []byte {
	c.word = append(c.word, part[:min(len(part), maxOfKey-min(maxOfKey, len(c.word)))]...)
	end := len(part)
	switch {
	case c.cutting:
		end = 0
	case !c.spared && c.n+end > c.most:
		// A character that has begun is completed.
		for end = max(0, c.most-c.n); end < len(part) && part[end]&0xC0 == 0x80; end++ {
		}
		c.cutting = end < len(part)
	}
	c.n += len(part)
	return append(to, part[:end]...)
}

// The id and session of a reply, and whether a value was requested. A page can't fake
// the end: quotes in its texts are escaped.
var (
	reValue = regexp.MustCompile(`^\{"id":\d+,"result":\{"result":\{"type":"`)
	reAsked = regexp.MustCompile(`^\{"id":(\d+),`)
	reEnd   = regexp.MustCompile(`,"sessionId":"([^"]*)"\}\x00$`)
)

// tooLong answers a message that was not read: the caller gets an error. An event is
// dropped, but for one that waits for an answer of ours.
func (c *Conn) tooLong(e *tooLongError) {
	m := reAsked.FindSubmatch(e.head)
	if m == nil {
		c.heldTooLong(e)
		return
	}
	answer := struct {
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result,omitempty"`
		Err     *Error          `json:"error,omitempty"`
		Session string          `json:"sessionId,omitempty"`
	}{ID: m[1]}
	if reValue.Match(e.head) {
		answer.Result = exception(e.Error())
	} else {
		answer.Err = &Error{Code: -32000, Message: e.Error()}
	}
	if m := reEnd.FindSubmatch(e.tail); m != nil {
		answer.Session = string(m[1])
	}
	if text, err := json.Marshal(answer); err == nil {
		c.take(append(text, 0))
	}
}

// exception is the answer of an evaluation that has thrown. Playwright takes a protocol
// error for a document that has gone, and would ask again and again.
func exception(message string) any {
	type object = map[string]any
	return object{"result": object{"type": "undefined"}, "exceptionDetails": object{
		"exceptionId": 1, "text": "Uncaught", "lineNumber": 0, "columnNumber": 0,
		"exception": object{"type": "object", "subtype": "error", "className": "Error", "description": "Error: " + message},
	}}
}
