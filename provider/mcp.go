package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultProfile is the set of tools that lists show unless told otherwise.
const DefaultProfile = "core"

// Instructions tell an MCP client what the schemas leave out.
const Instructions = "Drives a real browser. Selectors are Playwright's (CSS, text=, role=button[name=\"Save\"], label=, placeholder=, testid=, alt=, title=, xpath=). " +
	"Every tool also takes page (a handle such as \"p2\"; default: the active page), timeout (seconds) and max (characters: a longer " +
	"reply is cut and says how to get the rest)."

// isMCP tells the methods that belong to the Model Context Protocol. No tool
// has a slash in its name.
func isMCP(method string) bool {
	return method == "initialize" || method == "ping" ||
		strings.Contains(method, "/") && !strings.HasPrefix(method, "$/")
}

// NewMCPServer makes a server of the official SDK over the table. It lists the
// tools of a profile ("" for the default) and calls every tool by name.
func NewMCPServer(table *Table, profile, version string) *mcp.Server {
	return newMCPServer(table, profile, version, func(ctx context.Context, _ *mcp.ServerSession, r Request) (Result, error) {
		return table.Call(ctx, r)
	})
}

// mcpCall runs a call that came from an MCP session.
type mcpCall func(context.Context, *mcp.ServerSession, Request) (Result, error)

func newMCPServer(table *Table, profile, version string, call mcpCall) *mcp.Server {
	if profile == "" {
		profile = DefaultProfile
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "pwpipe", Title: "Playwright over a pipe", Version: version},
		&mcp.ServerOptions{
			Instructions: table.instructions(),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			Logger:       slog.New(slog.DiscardHandler),
			PageSize:     1000,
		})
	for _, t := range table.Profile("all") {
		s.AddTool(mcpTool(t), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			result, err := call(ctx, req.Session, Request{Tool: t.Name, Params: req.Params.Arguments})
			return mcpResult(t, result, err), nil
		})
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
				list.Tools = listed(table, profile, isILO(req))
			}
			return result, err
		}
	})
	return s
}

// isILO reports whether the client is ilo, which counts every property of a
// schema towards a tool's arity.
func isILO(req mcp.Request) bool {
	ss, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || ss.InitializeParams() == nil || ss.InitializeParams().ClientInfo == nil {
		return false
	}
	return ss.InitializeParams().ClientInfo.Name == "ilo"
}

// listed is what tools/list shows of a profile.
func listed(table *Table, profile string, requiredOnly bool) []*mcp.Tool {
	list := []*mcp.Tool{}
	for _, t := range table.Profile(profile) {
		m := mcpTool(t)
		if requiredOnly {
			m.InputSchema = requiredSchema(t)
			m.OutputSchema = nil
		}
		list = append(list, m)
	}
	return list
}

// mcpTool describes a tool in MCP's terms.
func mcpTool(t *Tool) *mcp.Tool {
	m := &mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Doc, InputSchema: t.In, Annotations: annotations(t)}
	if t.Out != nil {
		m.OutputSchema = t.Out
	}
	return m
}

func annotations(t *Tool) *mcp.ToolAnnotations {
	destructive := t.Effect == Destroys || t.Target != ""
	a := &mcp.ToolAnnotations{ReadOnlyHint: t.Effect == Reads || t.Effect == Waits}
	if !a.ReadOnlyHint {
		a.DestructiveHint = &destructive
	}
	return a
}

// requiredSchema lists the required parameters only, in positional order.
func requiredSchema(t *Tool) *jsonschema.Schema {
	s := *t.In
	s.Properties = map[string]*jsonschema.Schema{}
	s.PropertyOrder = t.In.Required
	for _, name := range t.In.Required {
		s.Properties[name] = t.In.Properties[name]
	}
	return &s
}

// mcpResult words a result as content: a string as it is, a picture as a
// picture, nothing as "ok", anything else as JSON. A failed tool is isError.
func mcpResult(t *Tool, result Result, err error) *mcp.CallToolResult {
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: AsError(err).Error()}}}
	}
	r := &mcp.CallToolResult{}
	if img, ok := result.Value.(Image); ok {
		if data, err := base64.StdEncoding.DecodeString(img.Base64); err == nil {
			r.Content = []mcp.Content{&mcp.ImageContent{Data: data, MIMEType: img.MIME}}
			return r
		}
	}
	if c, ok := result.Value.(Content); ok {
		r.Content = contentOf(c)
		return r
	}
	if p, ok := result.Value.(Piece); ok {
		r.Content = []mcp.Content{&mcp.TextContent{Text: p.ForPeople()}}
	} else {
		r.Content = []mcp.Content{&mcp.TextContent{Text: textOf(t, result.JSON)}}
	}
	if t.Out != nil {
		r.StructuredContent = result.JSON
	}
	return r
}

// contentOf words a result of several parts.
func contentOf(c Content) []mcp.Content {
	text, pictures := c.Content()
	var parts []mcp.Content
	for _, p := range pictures {
		if data, err := base64.StdEncoding.DecodeString(p.Base64); err == nil {
			parts = append(parts, &mcp.ImageContent{Data: data, MIMEType: http.DetectContentType(data)})
		}
	}
	if text != "" || len(parts) == 0 {
		parts = append(parts, &mcp.TextContent{Text: text})
	}
	return parts
}

func textOf(t *Tool, raw json.RawMessage) string {
	var s string
	switch {
	case t.Result == "_":
		return "ok"
	case jsonType(raw) == "a string" && json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// mcpBridge carries MCP messages between the lines of a stream and a server of
// the SDK. Ids are replaced by numbers of ours on the way in and put back on
// the way out, so that they are echoed byte for byte.
type mcpBridge struct {
	ctx     context.Context
	start   func() error
	in      chan jsonrpc.Message
	send    func([]byte)
	lastID  atomic.Int64
	mu      sync.Mutex
	waiting map[int64]waiter
}

// waiter is who asked: its request, and where the answer goes.
type waiter struct {
	m  *message
	to func(reply)
}

func newMCPBridge(ctx context.Context, table *Table, profile, version string, send func([]byte)) *mcpBridge {
	b := &mcpBridge{ctx: ctx, in: make(chan jsonrpc.Message, 16), send: send, waiting: map[int64]waiter{}}
	// Most streams never speak MCP: the server is made at its first message.
	b.start = sync.OnceValue(func() error {
		_, err := NewMCPServer(table, profile, version).Connect(ctx, b, nil)
		return err
	})
	return b
}

// forward hands a message to the SDK; to is called with its answer, if it is
// to have one.
func (b *mcpBridge) forward(m *message, to func(reply)) {
	if err := b.start(); err != nil {
		to(m.reply(nil, Errorf(KindInternal, "mcp: %w", err)))
		return
	}
	var msg jsonrpc.Message
	switch {
	case m.response:
		decoded, err := jsonrpc.DecodeMessage(m.raw)
		if err != nil {
			return // an answer to nothing that was asked
		}
		msg = decoded
	case m.notify:
		msg = &jsonrpc.Request{Method: m.method, Params: m.params}
	default:
		n := b.lastID.Add(1)
		id, _ := jsonrpc.MakeID(float64(n))
		b.mu.Lock()
		b.waiting[n] = waiter{m, to}
		b.mu.Unlock()
		msg = &jsonrpc.Request{ID: id, Method: m.method, Params: m.params}
	}
	select {
	case b.in <- msg:
	case <-b.ctx.Done():
	}
}

// call is forward for one that waits: it returns the answer, and tells the SDK
// when ctx ends before.
func (b *mcpBridge) call(ctx context.Context, m *message) reply {
	answer := make(chan reply, 1)
	if m.notify || m.response {
		b.forward(m, nil)
		return reply{}
	}
	b.forward(m, func(r reply) { answer <- r })
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		b.withdraw(m)
		return m.reply(nil, &Error{Kind: KindCancelled, Msg: m.name() + ": cancelled"})
	}
}

// withdraw cancels a request inside the SDK.
func (b *mcpBridge) withdraw(m *message) {
	b.mu.Lock()
	var id int64
	for n, w := range b.waiting {
		if w.m == m {
			id = n
			delete(b.waiting, n)
		}
	}
	b.mu.Unlock()
	params := encode(map[string]any{"requestId": id})
	select {
	case b.in <- &jsonrpc.Request{Method: "notifications/cancelled", Params: params}:
	case <-b.ctx.Done():
	}
}

// Connect makes the bridge the SDK's transport: [mcp.Transport].
func (b *mcpBridge) Connect(context.Context) (mcp.Connection, error) { return b, nil }

// Read gives the SDK the next message: [mcp.Connection].
func (b *mcpBridge) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-b.in:
		return msg, nil
	case <-b.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write takes an answer, or a message of the server's own: [mcp.Connection].
func (b *mcpBridge) Write(_ context.Context, msg jsonrpc.Message) error {
	r, ok := msg.(*jsonrpc.Response)
	if !ok {
		line, err := jsonrpc.EncodeMessage(msg)
		if err == nil {
			b.send(line)
		}
		return err
	}
	id, _ := r.ID.Raw().(int64)
	b.mu.Lock()
	w, ok := b.waiting[id]
	delete(b.waiting, id)
	b.mu.Unlock()
	if ok {
		w.to(w.m.wire(r))
	}
	return nil
}

// wire words an answer of the SDK with the id as the client wrote it.
func (m *message) wire(r *jsonrpc.Response) reply {
	if r.Error == nil {
		result := r.Result
		if m.method == "tools/list" {
			result = slimList(result)
		}
		out := m.reply(result, nil)
		out.failed = m.method == "tools/call" && isToolError(r.Result)
		return out
	}
	e := rpcError{Code: KindInternal.RPCCode(), Message: r.Error.Error()}
	var coded *jsonrpc.Error
	if errors.As(r.Error, &coded) { // it may be wrapped in more words
		e.Code, e.Data = int(coded.Code), coded.Data
	}
	line := append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
	line = append(append(append(line, `,"error":`...), encode(e)...), '}')
	return reply{line: line, failed: true}
}

func isToolError(result json.RawMessage) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(result, &r) == nil && r.IsError
}

// Close does nothing: the stream outlives the session. [mcp.Connection]
func (b *mcpBridge) Close() error { return nil }

// SessionID is empty: a stream has one session. [mcp.Connection]
func (b *mcpBridge) SessionID() string { return "" }
