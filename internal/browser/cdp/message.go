package cdp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Messages on a DevTools pipe are JSON texts that end in NUL.

// firstBuffer is larger than most messages.
const firstBuffer = 64 << 10

// keptBuffer is the largest buffer that is kept for the next long message.
const keptBuffer = 4 << 20

// reader reads messages.
type reader struct {
	*bufio.Reader
	long []byte // what the last long message was in; a new one each time would be garbage of many times its size
	cut  int    // bytes that were cut of the last message
}

func newReader(r io.Reader) *reader {
	return &reader{Reader: bufio.NewReaderSize(r, firstBuffer)}
}

// next reads a message, its NUL included. It is valid until the next call. The error says if
// it is longer than most.
func (r *reader) next(most int) ([]byte, error) {
	m, err := r.ReadSlice(0)
	r.cut = 0
	if !errors.Is(err, bufio.ErrBufferFull) {
		if len(m) > longestURL {
			if cut := cutterOf(m); cut != nil && cut.most < len(m) {
				m = cut.add(nil, m)
			}
		}
		return m, err
	}
	whole, length, err := readLong(r.Reader, r.long[:0], m, most)
	r.cut = length - len(whole)
	if r.long = whole; cap(whole) > keptBuffer {
		r.long = nil
	}
	return whole, err
}

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

// eventOf is a part of an event of a session, without parsing it: pages can have thousands of them
// sent that nobody listens to. The method is "" for one not in Chromium's form.
func eventOf(m []byte, session string) (method string, params json.RawMessage) {
	rest, ok := bytes.CutPrefix(bytes.TrimRight(m, "\x00"), []byte(`{"method":"`))
	name, rest, found := bytes.Cut(rest, []byte(`","params":`))
	if !ok || !found {
		return "", nil
	}
	end := "}"
	if session != "" {
		end = `,"sessionId":"` + session + `"}`
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(end)); !ok || len(rest) < 2 || rest[0] != '{' || rest[len(rest)-1] != '}' {
		return "", nil
	}
	return string(name), rest
}

// request is a call as it is sent.
type request struct {
	ID      int64
	Method  string
	Params  any // nil for none
	Session string
}

// longest bounds our messages: at 100 MiB Chromium closes its pipe, and ends.
const longest = 96 << 20

// text encodes the request. Its parts are joined once it is known that they are not too
// long.
func (r request) text() ([]byte, error) {
	list, err := parts(r.Params)
	if err != nil {
		return nil, err
	}
	method, err := Encode(r.Method)
	if err != nil {
		return nil, err
	}
	head := append(strconv.AppendInt([]byte(`{"id":`), r.ID, 10), `,"method":`...)
	list = append([][]byte{head, method}, list...)
	if r.Session != "" {
		session, err := Encode(r.Session)
		if err != nil {
			return nil, err
		}
		list = append(list, []byte(`,"sessionId":`), session)
	}
	list = append(list, []byte("}\x00"))
	size := 0
	for _, part := range list {
		size += len(part)
	}
	if size > longest {
		return nil, fmt.Errorf("%s: the message has %d MiB, and the browser's limit is %d", r.Method, size>>20, longest>>20)
	}
	return bytes.Join(list, nil), nil
}

// parts encodes params. It does not copy what is JSON already, which may be long.
func parts(params any) (list [][]byte, _ error) {
	name := []byte(`,"params":`)
	switch p := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		if !json.Valid(p) {
			return nil, fmt.Errorf("params are not JSON: %.80q", p)
		}
		return [][]byte{name, p}, nil
	case map[string]json.RawMessage:
		list = append(list, name, []byte("{"))
		for i, key := range slices.Sorted(maps.Keys(p)) {
			if i > 0 {
				list = append(list, []byte(","))
			}
			quoted, err := Encode(key)
			if err != nil {
				return nil, err
			}
			if !json.Valid(p[key]) {
				return nil, fmt.Errorf("%.80s is not JSON", key)
			}
			list = append(list, quoted, []byte(":"), p[key])
		}
		return append(list, []byte("}")), nil
	}
	text, err := Encode(params)
	return [][]byte{name, text}, err
}

// Encode encodes a value as JSON, without escaping for HTML, which would make six bytes
// of one.
func Encode(v any) (json.RawMessage, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
