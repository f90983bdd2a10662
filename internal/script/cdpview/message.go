package cdpview

import (
	"encoding/json"
	"pwpipe/internal/browser/cdp"
	"strconv"
)

// message is a message of either side.
type message struct {
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *cdp.Error      `json:"error,omitempty"`
	Session string          `json:"sessionId,omitempty"`

	held int // bytes in the budget, until the command ends
}

// nothing is an empty result.
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
