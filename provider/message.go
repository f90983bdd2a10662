package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"pwpipe/internal/text/suggest"
	"pwpipe/provider/internal/rawjson"
)

// Message is one request from the wire, plain or JSON-RPC.
type Message struct {
	RPC      bool            // JSON-RPC 2.0, else plain
	ID       json.RawMessage // the text as received, nil for none
	Notify   bool            // JSON-RPC notification: no reply
	Response bool            // a JSON-RPC response of an MCP client
	Request  Request         // the request; its Tool is the method
	Err      *Error          // why it is not a valid request

	Raw json.RawMessage // of a response
}

// LooksLikeRPC decides the dialect of text that can't be parsed.
func LooksLikeRPC(text []byte) bool { return bytes.Contains(text, []byte(`"jsonrpc"`)) }

// Parse reads one request from valid JSON. It always returns a message; Err says what
// is wrong with it.
func (t *Table) Parse(text json.RawMessage) *Message {
	m := &Message{}
	defer func() { m.Err = t.MaskError(m.Err) }() // it quotes the text
	o, err := rawjson.Split(text)
	if err != nil {
		m.Err = Errorf(KindInvalid, "invalid request: %w", err)
		return m
	}
	version := o.Get("jsonrpc")
	m.RPC = version != nil
	m.ID = o.Get("id")
	if m.RPC {
		m.readRPC(o, version)
	} else {
		m.readPlain(o)
	}
	if m.Response {
		m.Raw = text
	}
	if m.Err != nil || m.Response {
		return m
	}
	unit := time.Second
	if tool := t.Find(m.Request.Tool); tool != nil {
		unit = tool.TimeoutUnit
	}
	for _, member := range o {
		if isEnvelope(member.Key) {
			if err := m.Request.set(member.Key, member.Value, unit); err != nil {
				m.Err = AsError(err)
			}
		}
	}
	return m
}

var (
	// requestKeys are the keys of a plain request that are suggested.
	requestKeys = []string{"id", "method", "params", "page", "timeout", "max", "session_id"}
	// plainKeys may be there beside the envelope's. What was recorded beside a request is
	// of no meaning here.
	plainKeys = []string{"id", "method", "params", "element", "note"}
)

func (m *Message) readPlain(o rawjson.Object) {
	for _, member := range o {
		if slices.Contains(plainKeys, member.Key) || isEnvelope(member.Key) {
			continue
		}
		m.Err = Errorf(KindInvalid, "invalid request: unknown key %q", member.Key).
			WithHint("a request has id, method, params, page and timeout")
		if meant := suggest.Hint(member.Key, requestKeys); meant != "" {
			m.Err.Hint = meant + " " + m.Err.Hint
		}
		return
	}
	m.readMethod(o)
}

// readRPC follows section 4 of the JSON-RPC 2.0 specification.
func (m *Message) readRPC(o rawjson.Object, version json.RawMessage) {
	m.Notify = m.ID == nil
	if m.ID != nil {
		switch rawjson.TypeOf(m.ID) {
		case "a string", "a number", "null":
		default:
			m.Err = Errorf(KindInvalid, "invalid request: id: expected a string, a number or null, got %s", rawjson.TypeOf(m.ID))
			m.ID = nil
		}
	}
	if string(version) != `"2.0"` {
		m.Err = Errorf(KindInvalid, `invalid request: jsonrpc: expected "2.0", got %s`, version)
	}
	if m.Err == nil && o.Get("method") == nil && m.ID != nil && (o.Get("result") != nil || o.Get("error") != nil) {
		m.Response = true
		return
	}
	if m.Err == nil {
		m.readMethod(o)
	}
	if m.Err != nil {
		m.Notify = false // an invalid request is no notification: it is answered
	}
}

// readMethod reads method and params, and splits the params.
func (m *Message) readMethod(o rawjson.Object) {
	raw := o.Get("method")
	method, ok := rawjson.Text(raw)
	switch {
	case raw == nil:
		m.Err = Errorf(KindInvalid, "invalid request: no method").WithHint("a request has id, method and params")
		for _, member := range o {
			if strings.EqualFold(member.Key, "method") {
				m.Err.Hint = fmt.Sprintf("keys match exactly: %q is not \"method\"", member.Key)
			}
		}
		return
	case !ok:
		m.Err = Errorf(KindInvalid, "invalid request: method: expected a string, got %s", rawjson.TypeOf(raw))
		return
	}
	params := o.Get("params")
	m.Request.Tool = method
	if params == nil || !m.RPC && rawjson.IsNull(params) {
		return
	}
	m.Request.Params = params
	switch rawjson.TypeOf(params) {
	case "an object", "an array":
		m.Request.args, _ = splitArgs(params)
	default:
		m.Err = Errorf(KindInvalid, "invalid request: params: expected an object or an array, got %s", rawjson.TypeOf(params))
	}
}

// Broken is the message that answers a text that is no request. err is the error of
// [rawjson.Check].
func (t *Table) Broken(text []byte, err error) *Message {
	m := &Message{RPC: LooksLikeRPC(text)}
	var dup *rawjson.DuplicateError
	if !errors.As(err, &dup) {
		m.Err = t.MaskError(Errorf(KindParse, "parse error: %w", err))
		return m
	}
	m.Err = t.MaskError(Errorf(KindInvalid, "invalid request: %w", err))
	if o, err := rawjson.Split(text); err == nil {
		m.RPC = o.Get("jsonrpc") != nil
		if dup.Key != "id" {
			m.ID = o.Get("id")
		}
	}
	return m
}

// ParseRequest reads a line with one request of the plain dialect, for scripts of
// requests. The call checks tools and parameters.
func (t *Table) ParseRequest(line []byte) (Request, error) {
	if err := rawjson.Check(line); err != nil {
		return Request{}, t.Broken(line, err).Err
	}
	m := t.Parse(line)
	if m.Err != nil {
		return Request{}, m.Err
	}
	if m.Response || m.IsMCP() {
		return Request{}, Errorf(KindInvalid, "invalid request: %s is no tool", m.Request.Tool)
	}
	return m.Request, nil
}

// IsMCP reports whether the request belongs to the Model Context Protocol. No tool has a slash in its name.
func (m *Message) IsMCP() bool {
	method := m.Request.Tool
	return m.RPC && (method == "initialize" || method == "ping" ||
		strings.Contains(method, "/") && !strings.HasPrefix(method, "$/"))
}

// called is the tool call in the message: its own, or the one inside MCP's tools/call.
func (m *Message) called() Request {
	if !m.RPC || m.Request.Tool != "tools/call" {
		return m.Request
	}
	r := Request{Page: m.Request.Page, Params: m.Request.args.named.Get("arguments")}
	r.Tool, _ = rawjson.Text(m.Request.args.named.Get("name"))
	if a, err := splitArgs(r.Params); err == nil {
		r.args = a
	}
	return r
}

// Name is the message's name in errors.
func (m *Message) Name() string { return cmp.Or(m.called().Tool, m.Request.Tool) }

// Cancels returns the id of the request that the message cancels. A cancel without a
// usable id is answered later as bad arguments.
func (m *Message) Cancels() (id json.RawMessage, ok bool) {
	if m.Err != nil {
		return nil, false
	}
	key := "id"
	switch method := m.Request.Tool; {
	case method == "cancel", m.RPC && method == "$/cancelRequest":
	case m.RPC && method == "notifications/cancelled":
		key = "requestId"
	default:
		return nil, false
	}
	if list := m.Request.args.list; len(list) == 1 {
		return list[0], true
	}
	id = m.Request.args.named.Get(key)
	return id, id != nil
}

// Touch is the effect of one call on the order.
type Touch struct {
	Page   string // "" for the active page
	Target string // a page that the call closes, named in its params
	Effect Effect
	// Any: the call may be on any page, as it names one by its label, or gives a label.
	// Which page has a label is only known when the calls before have ended.
	Any bool
}

var reHandle = regexp.MustCompile(`^p\d+$`)

// isLabel reports whether the name of a page is not a handle.
func isLabel(page string) bool { return page != "" && !reHandle.MatchString(page) }

// Touch is the effect of a message on the order.
func (t *Table) Touch(m *Message) Touch {
	if m.Err != nil {
		return Touch{Effect: Reads}
	}
	to := t.touch(m.called())
	to.Any = to.Any || isLabel(to.Page) || isLabel(to.Target)
	return to
}

func (t *Table) touch(r Request) Touch {
	tool := t.Find(r.Tool)
	if tool == nil {
		return Touch{Page: r.Page, Effect: Reads}
	}
	to := Touch{Page: r.Page, Effect: tool.Effect, Any: tool.Labels}
	if r.split() != nil {
		return to
	}
	if page, ok := rawjson.Text(r.args.named.Get("page")); ok && !tool.Has("page") {
		to.Page = page
	}
	if tool.Target != "" {
		to.Target, _ = rawjson.Text(tool.arg(r.args, tool.Target))
	}
	return to
}

// Before reports whether a later call must wait for this one, on surfaces where each
// answer has its own way back. Lanes of package wire decide this for a stream.
func (e Touch) Before(later Touch) bool {
	switch {
	case e.Effect == Switches || later.Effect == Switches:
		return true
	case e.Effect == Reads && later.Effect == Reads:
		return false
	}
	return e.Page == later.Page || e.Page == "" || later.Page == "" || e.Any || later.Any
}
