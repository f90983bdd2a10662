package provider

import (
	"encoding/json"

	"pwpipe/provider/internal/rawjson"
)

// Reply is one line of output, nil for none.
type Reply struct {
	Line   []byte
	Failed bool
}

// RPCError is the error object of JSON-RPC 2.0, section 5.1.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// RPC is the error for JSON-RPC. Errors that the specification defines get its message;
// our own text is in data.
func (e *Error) RPC() RPCError {
	r := RPCError{Code: e.Kind.RPCCode(), Message: e.Error()}
	switch e.Kind {
	case KindParse:
		r.Message = "Parse error"
	case KindInvalid:
		r.Message = "Invalid Request"
	case KindUnknown:
		r.Message = "Method not found"
	default:
		r.Data = e.data()
		return r
	}
	own := *e
	own.Hint = e.Error()
	r.Data = own.data()
	return r
}

// data is the "data" member of a JSON-RPC error object.
func (e *Error) data() json.RawMessage {
	type plain Error // without the methods
	shown := plain(*e)
	if e.Kind == KindInternal {
		shown.Log = "" // a stack is for our log, not for callers
	}
	return rawjson.Encode(shown)
}

// Reply encodes the result or the error in the message's own dialect. Its line is nil
// for a notification.
func (m *Message) Reply(result json.RawMessage, err error) Reply {
	if m.Notify {
		return Reply{Failed: err != nil}
	}
	switch {
	case err == nil:
		return Reply{Line: m.line("result", result)}
	case m.RPC:
		return Reply{Line: m.line("error", rawjson.Encode(AsError(err).RPC())), Failed: true}
	}
	return Reply{Line: m.line("error", rawjson.Encode(AsError(err).Error())), Failed: true}
}

// line is a reply with one member besides the id.
func (m *Message) line(key string, value json.RawMessage) []byte {
	id := m.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	b := make([]byte, 0, len(id)+len(value)+48)
	if m.RPC {
		b = append(b, `{"jsonrpc":"2.0","id":`...)
	} else {
		b = append(b, `{"id":`...)
	}
	b = append(append(append(append(b, id...), `,"`...), key...), `":`...)
	return append(append(b, value...), '}')
}

// Notification encodes an event as a JSON-RPC notification.
func Notification(event json.RawMessage) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":"event","params":`), event...)
	return append(b, '}')
}

// Join makes one array of the replies of a batch's members, none if nothing is to be
// answered.
func Join(replies []Reply) (all Reply) {
	for _, r := range replies {
		all.Failed = all.Failed || r.Failed
		if r.Line == nil {
			continue
		}
		if all.Line == nil {
			all.Line = []byte{'['}
		} else {
			all.Line = append(all.Line, ',')
		}
		all.Line = append(all.Line, r.Line...)
	}
	if all.Line != nil {
		all.Line = append(all.Line, ']')
	}
	return all
}
