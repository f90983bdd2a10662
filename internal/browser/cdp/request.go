package cdp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

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
		return nil, fmt.Errorf("%s: the message is %d MiB long, and the browser takes %d", r.Method, size>>20, longest>>20)
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
			return nil, fmt.Errorf("params are no JSON: %.80q", p)
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
				return nil, fmt.Errorf("%.80s is no JSON", key)
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
