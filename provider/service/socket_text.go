package service

import (
	"encoding/json"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// conventional reports whether jsonrpc2's Conn can represent a message: a request
// object whose id is a string, a small whole number, or absent.
func conventional(text []byte) bool {
	if text[0] != '{' {
		return false
	}
	o, err := rawjson.Split(text)
	if err != nil || string(o.Get("jsonrpc")) != `"2.0"` || rawjson.TypeOf(o.Get("method")) != "a string" {
		return false
	}
	for _, m := range o {
		switch m.Key {
		case "jsonrpc", "method", "params", "id":
		default:
			return false
		}
	}
	if p := o.Get("params"); p != nil && rawjson.TypeOf(p) != "an object" && rawjson.TypeOf(p) != "an array" {
		return false
	}
	id := o.Get("id")
	if id == nil {
		return true
	}
	if rawjson.TypeOf(id) == "a string" {
		var s string
		return json.Unmarshal(id, &s) == nil && string(rawjson.Encode(s)) == string(id)
	}
	var n uint32
	return rawjson.TypeOf(id) == "a number" && json.Unmarshal(id, &n) == nil && string(rawjson.Encode(n)) == string(id)
}

// refuse answers a message over the rate limit.
func (k *socket) refuse(text []byte) error {
	m := &provider.Message{RPC: true}
	if rawjson.Check(text) == nil && rawjson.TypeOf(text) == "an object" {
		m = k.service.parseRPC(text)
		if m.Notify {
			return nil
		}
	}
	return k.write(m.Reply(nil, provider.Errorf(provider.KindLimit, "more than %d requests in a minute", k.service.rate.limit).WithHint("wait before the next")).Line)
}

// answer runs a message that the Conn can't represent.
func (k *socket) answer(text []byte) {
	k.start(func() {
		if line, _ := k.service.rpcText(k.ctx, k.request, text); line != nil {
			_ = k.write(line)
		}
	})
}
