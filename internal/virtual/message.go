package virtual

import (
	"encoding/json"
	"pwpipe/internal/cdp"
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
}

// text writes a message. What comes from the browser is JSON already, and may be
// long: it is put in as it is.
func (m message) text() []byte {
	text := make([]byte, 0, len(m.Params)+len(m.Result)+200)
	member := func(name string, raw []byte) {
		text = append(text, map[bool]byte{true: '{', false: ','}[len(text) == 0])
		text = append(append(strconv.AppendQuote(text, name), ':'), raw...)
	}
	quoted := func(s string) []byte { raw, _ := json.Marshal(s); return raw }
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
		raw, _ := json.Marshal(m.Error)
		member("error", raw)
	}
	if m.Session != "" {
		member("sessionId", quoted(m.Session))
	}
	return append(text, '}')
}
