package wire

import (
	"bytes"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// The objects of JSON-RPC 2.0 are the ones of sourcegraph/jsonrpc2: [jsonrpc2.Error],
// [jsonrpc2.Response] and [jsonrpc2.Request]. They are encoded here, because the library
// escapes <, > and & and puts "jsonrpc" last. The library does not read the stream: its
// Conn (v0.2.3) closes on a malformed line, on a batch and on a fractional id.

// idOf is an id as the library holds it. ok is false for an id that would come back as
// another text: the library makes 0 of null and 18446744073709551611 of -5, takes no
// fraction, and does not keep how a string was escaped.
func idOf(raw json.RawMessage) (id jsonrpc2.ID, ok bool) {
	if rawjson.IsNull(raw) || id.UnmarshalJSON(raw) != nil {
		return jsonrpc2.ID{}, false
	}
	back, err := id.MarshalJSON()
	return id, err == nil && bytes.Equal(back, raw)
}

// respond encodes a response (section 5). Its members are in the order of the plain
// dialect's. An id that the library cannot represent goes back as it came.
func respond(m *provider.Message, r jsonrpc2.Response) []byte {
	id := m.ID
	if known, ok := idOf(m.ID); ok {
		r.ID = known
		id, _ = r.ID.MarshalJSON()
	}
	key, value := "result", r.Result
	if r.Error != nil {
		encoded := rawjson.Encode(r.Error)
		key, value = "error", &encoded
	}
	return reply(`{"jsonrpc":"2.0","id":`, id, key, *value)
}

// Notification encodes an event as a notification (section 4.1).
func Notification(event json.RawMessage) []byte {
	n := jsonrpc2.Request{Method: "event", Params: &event, Notif: true}
	b := append([]byte(`{"jsonrpc":"2.0","method":`), rawjson.Encode(n.Method)...)
	return append(append(append(b, `,"params":`...), *n.Params...), '}')
}
