package cdp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// Messages on a DevTools pipe are JSON texts that end in NUL.

// firstBuffer is larger than most messages.
const firstBuffer = 64 << 10

// readMessage reads a message, its NUL included. It is valid until the next call. The
// error says if it is longer than the buffer.
func readMessage(r *bufio.Reader, most int) ([]byte, error) {
	m, err := r.ReadSlice(0)
	if !errors.Is(err, bufio.ErrBufferFull) {
		if len(m) > longestURL && longestOf(m) == longestURL {
			m = (&cutter{most: longestURL}).add(nil, m)
		}
		return m, err
	}
	return readLong(r, m, most)
}

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, firstBuffer) }

// label identifies a message: the reply to a call by its id, or else an event of the
// session, "" for the connection's own.
type label struct {
	id      int64 // 0 for an event
	session string
}

// labelOf reads a message's label without parsing the message: Chromium writes the id
// of a reply first, and the session last. A message in another form is parsed.
func labelOf(m []byte) label {
	m = bytes.TrimRight(m, "\x00")
	if rest, ok := bytes.CutPrefix(m, []byte(`{"id":`)); ok {
		if end := bytes.IndexByte(rest, ','); end > 0 {
			if id, err := strconv.ParseInt(string(rest[:end]), 10, 64); err == nil && id > 0 {
				return label{id: id}
			}
		}
	} else if rest, ok := bytes.CutSuffix(m, []byte(`"}`)); ok && bytes.HasPrefix(m, []byte(`{"method":`)) {
		start := bytes.LastIndexByte(rest, '"')
		if start >= 0 && bytes.HasSuffix(rest[:start], []byte(`},"sessionId":`)) {
			return label{session: string(rest[start+1:])}
		}
	} else if bytes.HasPrefix(m, []byte(`{"method":`)) && bytes.HasSuffix(m, []byte(`}}`)) {
		return label{}
	}
	var whole struct {
		ID      int64  `json:"id"`
		Session string `json:"sessionId"`
	}
	_ = json.Unmarshal(m, &whole) // invalid JSON goes to the peer
	if whole.ID != 0 {
		return label{id: whole.ID}
	}
	return label{session: whole.Session}
}

// resultOf is a copy of a reply's result, without parsing it: it may have many
// megabytes, and all messages wait meanwhile. It is nil for an error, or a reply not in
// Chromium's form.
func resultOf(m []byte, session string) json.RawMessage {
	rest, ok := bytes.CutPrefix(bytes.TrimRight(m, "\x00"), []byte(`{"id":`))
	if !ok {
		return nil
	}
	if rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, "0123456789"), []byte(`,"result":`)); !ok {
		return nil
	}
	end := "}"
	if session != "" {
		end = `,"sessionId":"` + session + `"}`
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(end)); !ok || len(rest) < 2 || rest[0] != '{' || rest[len(rest)-1] != '}' {
		return nil
	}
	return bytes.Clone(rest)
}
