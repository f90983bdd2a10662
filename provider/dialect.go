package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pwpipe/internal/near"
)

// message is one request as it stood on the wire: a plain one or a JSON-RPC
// one. It knows how to word its own reply.
type message struct {
	rpc      bool            // JSON-RPC 2.0, else plain
	id       json.RawMessage // as it stood, nil for none
	notify   bool            // JSON-RPC notification: no reply
	method   string
	params   json.RawMessage
	response bool // a JSON-RPC response of an MCP client
	raw      json.RawMessage
	request  Request
	err      *Error // why it is no request
}

// looksLikeRPC decides the dialect of text that can't be parsed.
func looksLikeRPC(text []byte) bool { return bytes.Contains(text, []byte(`"jsonrpc"`)) }

// parse reads one request. It always returns a message; what is wrong with it
// is in err.
func (t *Table) parse(text json.RawMessage) *message {
	m := t.read(text)
	m.err = t.maskError(m.err) // it quotes the text
	return m
}

func (t *Table) read(text json.RawMessage) *message {
	m := &message{raw: text}
	o, err := splitObject(text)
	if err != nil {
		m.err = Errorf(KindInvalid, "invalid request: %w", err)
		return m
	}
	version := o.get("jsonrpc")
	m.rpc = version != nil
	m.id = o.get("id")
	if m.rpc {
		m.parseRPC(o, version)
	} else {
		m.parsePlain(o)
	}
	if m.err != nil || m.response {
		return m
	}
	m.request = Request{Tool: m.method, Params: m.params}
	unit := time.Second
	if tool := t.Find(m.method); tool != nil {
		unit = tool.TimeoutUnit
	}
	for _, member := range o {
		if isEnvelope(member.key) {
			if err := m.request.set(member.key, member.value, unit); err != nil {
				m.err = AsError(err)
			}
		}
	}
	return m
}

// requestKeys are those that a plain request may have.
var requestKeys = []string{"id", "method", "params", "page", "timeout", "max", "session_id"}

func (m *message) parsePlain(o object) {
	for _, member := range o {
		switch member.key {
		case "id", "method", "params":
		default:
			if !isEnvelope(member.key) {
				m.err = Errorf(KindInvalid, "invalid request: unknown key %q", member.key).
					WithHint("a request has id, method, params, page and timeout")
				if meant := near.Hint(member.key, requestKeys); meant != "" {
					m.err.Hint = meant + " " + m.err.Hint
				}
				return
			}
		}
	}
	m.setMethod(o)
}

// parseRPC follows section 4 of the JSON-RPC 2.0 specification.
func (m *message) parseRPC(o object, version json.RawMessage) {
	m.notify = m.id == nil
	if m.id != nil {
		switch jsonType(m.id) {
		case "a string", "a number", "null":
		default:
			m.err = Errorf(KindInvalid, "invalid request: id: expected a string, a number or null, got %s", jsonType(m.id))
			m.id = nil
		}
	}
	if string(version) != `"2.0"` {
		m.err = Errorf(KindInvalid, `invalid request: jsonrpc: expected "2.0", got %s`, version)
	}
	if m.err == nil && o.get("method") == nil && m.id != nil && (o.get("result") != nil || o.get("error") != nil) {
		m.response = true
		return
	}
	if m.err == nil {
		m.setMethod(o)
	}
	if m.err != nil {
		m.notify = false // what is no request is no notification: it is answered
	}
}

func (m *message) setMethod(o object) {
	raw := o.get("method")
	switch {
	case raw == nil:
		m.err = Errorf(KindInvalid, "invalid request: no method").WithHint("a request has id, method and params")
		for _, member := range o {
			if strings.EqualFold(member.key, "method") {
				m.err.Hint = fmt.Sprintf("keys match exactly: %q is not \"method\"", member.key)
			}
		}
		return
	case jsonType(raw) != "a string":
		m.err = Errorf(KindInvalid, "invalid request: method: expected a string, got %s", jsonType(raw))
		return
	}
	_ = json.Unmarshal(raw, &m.method)
	m.params = o.get("params")
	if m.params == nil {
		return
	}
	switch jsonType(m.params) {
	case "an object", "an array":
	case "null":
		if !m.rpc {
			m.params = nil
			return
		}
		fallthrough
	default:
		m.err = Errorf(KindInvalid, "invalid request: params: expected an object or an array, got %s", jsonType(m.params))
	}
}

// broken is the message that answers a line that can't be read as a request.
func (t *Table) broken(text []byte, err error) *message {
	m := unreadable(text, err)
	m.err = t.maskError(m.err)
	return m
}

func unreadable(text []byte, err error) *message {
	m := &message{rpc: looksLikeRPC(text)}
	var dup *duplicateError
	if !errors.As(err, &dup) {
		m.err = Errorf(KindParse, "parse error: %w", err)
		return m
	}
	m.err = Errorf(KindInvalid, "invalid request: %w", err)
	if o, err := splitObject(text); err == nil {
		m.rpc = o.get("jsonrpc") != nil
		if dup.key != "id" {
			m.id = o.get("id")
		}
	}
	return m
}

// rpcError is the error object of JSON-RPC 2.0, section 5.1.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// rpcErrorOf gives the errors that the specification prints its own words, and
// keeps ours in data.
func rpcErrorOf(err error) rpcError {
	e := *AsError(err)
	r := rpcError{Code: e.Kind.RPCCode(), Message: e.Error()}
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
	e.Hint = e.Error()
	r.Data = e.data()
	return r
}

// reply words the result or the error in the message's own dialect. It is nil
// for a notification.
func (m *message) reply(result json.RawMessage, err error) reply {
	if m.notify {
		return reply{failed: err != nil}
	}
	id := m.id
	if id == nil {
		id = json.RawMessage("null")
	}
	var b []byte
	if m.rpc {
		b = append(b, `{"jsonrpc":"2.0","id":`...)
	} else {
		b = append(b, `{"id":`...)
	}
	b = append(b, id...)
	switch {
	case err == nil:
		b = append(append(b, `,"result":`...), result...)
	case m.rpc:
		b = append(append(b, `,"error":`...), encode(rpcErrorOf(err))...)
	default:
		b = append(append(b, `,"error":`...), encode(AsError(err).Error())...)
	}
	return reply{line: append(b, '}'), failed: err != nil}
}

// ParseRequest reads a line that is one request of the plain dialect, for who
// runs scripts of them. Tools and parameters are looked at when it is called.
func (t *Table) ParseRequest(line []byte) (Request, error) {
	if err := checkJSON(line); err != nil {
		return Request{}, t.broken(line, err).err
	}
	m := t.parse(line)
	if m.err != nil {
		return Request{}, m.err
	}
	if m.response || m.rpc && isMCP(m.method) {
		return Request{}, Errorf(KindInvalid, "invalid request: %s is no tool", m.method)
	}
	return m.request, nil
}
