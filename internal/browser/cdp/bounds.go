package cdp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Pages control texts in the browser's messages, of any length. So no message longer than
// longestSaid is held in memory, and every text of every event is cut while it is read,
// except for the events on a short list. Answers to commands are whole: somebody asked.
const (
	longestTold = 100 << 20 // to the browser: as much as it accepts
	longestSaid = 48 << 20  // from the browser: a body of 32 MiB fits, the most that a renderer keeps
	longestText = 1 << 20   // bytes of a text in an event
	longestURL  = 4 << 10   // in the browser's target events: a page's address may have two million characters
	peersText   = 64 << 10  // and for the peer, which keeps only the beginning
	framesText  = 4 << 10   // and of a frame in a page, which may have a thousand
	peersTexts  = 1 << 20   // bytes of all texts of an event for the peer
	shortText   = 128       // bytes of a text that is never cut: an id, a member's name
	keptEnd     = 512       // bytes of a message's ends: one has its id, the other its session
	unbounded   = longestTold
)

// wholeEvents are the events whose texts are needed whole: pictures; intercepted requests, since who
// decides needs address and body; calls of exposed functions, half of which is none; parts of files
// that somebody asked for; and a debugger's scripts, whose source map may be in the address. What
// else a page makes the browser send is cut.
var wholeEvents = beginnings("Page.screencastFrame", "Fetch.requestPaused", "Runtime.bindingCalled",
	"HeapProfiler.addHeapSnapshotChunk", "Tracing.dataCollected", "Debugger.scriptParsed")

// targetEvents come for each client, and for each page. So do lists of targets.
var (
	targetEvents = beginnings("Target.targetCreated", "Target.targetInfoChanged", "Target.attachedToTarget")
	targetLists  = regexp.MustCompile(`^\{"id":\d+,"result":\{"targetInfos?":`)
)

// posts are the events with a request's body. It is not cut: half of it would be taken for all.
var posts = beginnings("Network.requestWillBeSent")

// binaryFrame begins the event of a binary message of a WebSocket. The text is base64, which a mark
// at its end would spoil.
var binaryFrame = regexp.MustCompile(`^\{"method":"Network\.webSocketFrame(?:Sent|Received)",` +
	`"params":\{"requestId":"[^"]*","timestamp":[^,"]*,"response":\{"opcode":2,`)

// beginnings are those of events in Chromium's form.
func beginnings(methods ...string) (list [][]byte) {
	for _, name := range methods {
		list = append(list, []byte(`{"method":"`+name+`",`))
	}
	return list
}

// answers are the beginnings of answers: Chromium writes the id first.
var answers = [][]byte{[]byte(`{"id":`), []byte(`{"result":`), []byte(`{"error":`)}

// isAnswer reports whether a message that begins with m answers a command.
func isAnswer(m []byte) bool {
	return startsWithOne(m, answers)
}

func isBinaryFrame(m []byte) bool { return binaryFrame.Match(m[:min(len(m), 200)]) }

// cutterOf cuts the texts of a message that begins with m, as it is read; nil if it stays
// whole.
func cutterOf(m []byte) *cutter {
	switch {
	case targetLists.Match(m[:min(len(m), 100)]), startsWithOne(m, targetEvents):
		return &cutter{most: longestURL}
	case isAnswer(m), startsWithOne(m, wholeEvents):
		return nil
	case startsWithOne(m, posts):
		return &cutter{most: longestText, of: map[string]int{"postData": unbounded, "bytes": unbounded}}
	case isBinaryFrame(m):
		return &cutter{most: longestText, of: map[string]int{"payloadData": longestText}}
	}
	return &cutter{most: longestText}
}

// tooLongError is a message too long to be read whole: only its ends were.
type tooLongError struct {
	head, tail []byte
	length     int
	most       int // that is passed on
}

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a message of %d MiB, and no more than %d are passed on: ask for less at a time", e.length>>20, e.most>>20)
}

// readLong continues with a message that begins with m, and appends all of it to whole. The
// length is that before texts were cut.
func readLong(r *bufio.Reader, whole, m []byte, most int) (_ []byte, length int, _ error) {
	cut := cutterOf(m)
	for err := bufio.ErrBufferFull; ; m, err = r.ReadSlice(0) {
		length += len(m)
		if cut != nil {
			whole = cut.add(whole, m)
		} else {
			whole = append(whole, m...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, length, err
		}
		if len(whole) > most {
			return nil, length, skip(r, whole, most)
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
	return slices.ContainsFunc(list, func(begin []byte) bool { return bytes.HasPrefix(m, begin) })
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
		c.take(append(text, 0), 0)
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
