package cdpview

import (
	"encoding/json"
	"pwpipe/internal/browser/cdp"
	"strconv"
)

// message is one of either side.
type message struct {
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *cdp.Error      `json:"error,omitempty"`
	Session string          `json:"sessionId,omitempty"`

	held int // bytes in the budget, until the command ends
}

// nothing is the result of what has none.
var nothing = json.RawMessage("{}")

// encoded is a value as JSON, nil for one that can't be. What is JSON already keeps
// its length.
func encoded(v any) json.RawMessage {
	raw, _ := cdp.Encode(v)
	return raw
}

// maxDeep is how many arrays and objects one inside of the other Chromium reads. Of a
// message that is deeper it reads no id either, and answers nothing.
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

// text writes a message. What comes from the browser is JSON already, and may be
// long: it is put in as it is.
func (m message) text() []byte {
	text := make([]byte, 0, len(m.Params)+len(m.Result)+200)
	member := func(name string, raw []byte) {
		text = append(text, map[bool]byte{true: '{', false: ','}[len(text) == 0])
		text = append(append(strconv.AppendQuote(text, name), ':'), raw...)
	}
	quoted := func(s string) []byte { raw := encoded(s); return raw }
	if m.ID != nil {
		member("id", strconv.AppendInt(nil, *m.ID, 10))
	}
	if m.Method != "" {
		member("method", quoted(m.Method))
	}
	if len(m.Params) > 0 {
		member("params", m.Params)
	}
	if len(m.Result) > 0 {
		member("result", m.Result)
	}
	if m.Error != nil {
		raw := encoded(m.Error)
		member("error", raw)
	}
	if m.Session != "" {
		member("sessionId", quoted(m.Session))
	}
	return append(text, '}')
}
