package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// mcpBridge carries MCP messages between the lines of a stream and a server of the SDK.
// It replaces ids by its own numbers on the way in and restores them on the way out, so
// that they are echoed byte for byte.
type mcpBridge struct {
	ctx     context.Context
	start   func() error
	in      chan jsonrpc.Message
	send    func([]byte)
	lastID  atomic.Int64
	mu      sync.Mutex
	waiting map[int64]waiter
}

// waiter is a pending request and the receiver of its answer.
type waiter struct {
	m  *provider.Message
	to func(Reply)
}

func newMCPBridge(ctx context.Context, table *provider.Table, o MCPOptions, send func([]byte)) *mcpBridge {
	b := &mcpBridge{ctx: ctx, in: make(chan jsonrpc.Message, 16), send: send, waiting: map[int64]waiter{}}
	// Most streams never use MCP: the server starts with its first message.
	b.start = sync.OnceValue(func() error {
		_, err := NewMCPServer(table, o).Connect(ctx, b, nil)
		return err
	})
	return b
}

// forward passes a message to the SDK. If the message gets an answer, to is called with
// it.
func (b *mcpBridge) forward(m *provider.Message, to func(Reply)) {
	if err := b.start(); err != nil {
		to(ReplyTo(m, nil, provider.Errorf(provider.KindInternal, "mcp: %w", err)))
		return
	}
	var msg jsonrpc.Message
	switch {
	case m.Response:
		decoded, err := jsonrpc.DecodeMessage(m.Raw)
		if err != nil {
			return // an answer without a request
		}
		msg = decoded
	case m.Notify:
		msg = &jsonrpc.Request{Method: m.Request.Tool, Params: m.Request.Params}
	default:
		n := b.lastID.Add(1)
		id, _ := jsonrpc.MakeID(float64(n))
		b.mu.Lock()
		b.waiting[n] = waiter{m, to}
		b.mu.Unlock()
		msg = &jsonrpc.Request{ID: id, Method: m.Request.Tool, Params: m.Request.Params}
	}
	b.put(msg)
}

// put gives the SDK a message.
func (b *mcpBridge) put(msg jsonrpc.Message) {
	select {
	case b.in <- msg:
	case <-b.ctx.Done():
	}
}

// call is forward that waits: it returns the answer, and tells the SDK if ctx ends
// first.
func (b *mcpBridge) call(ctx context.Context, m *provider.Message) Reply {
	answer := make(chan Reply, 1)
	if m.Notify || m.Response {
		b.forward(m, nil)
		return Reply{}
	}
	b.forward(m, func(r Reply) { answer <- r })
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		b.withdraw(m)
		return ReplyTo(m, nil, &provider.Error{Kind: provider.KindCancelled, Msg: m.Name() + ": cancelled"})
	}
}

// withdraw cancels a request inside the SDK.
func (b *mcpBridge) withdraw(m *provider.Message) {
	b.mu.Lock()
	var id int64
	for n, w := range b.waiting {
		if w.m == m {
			id = n
			delete(b.waiting, n)
		}
	}
	b.mu.Unlock()
	params := rawjson.Encode(map[string]any{"requestId": id})
	b.put(&jsonrpc.Request{Method: "notifications/cancelled", Params: params})
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

// Write takes an answer, or a message from the server itself: [mcp.Connection].
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
		w.to(answerOf(w.m, r))
	}
	return nil
}

// answerOf encodes an answer of the SDK with the client's own id.
func answerOf(m *provider.Message, r *jsonrpc.Response) Reply {
	if r.Error == nil {
		out := ReplyTo(m, r.Result, nil)
		out.Failed = m.Request.Tool == "tools/call" && isToolError(r.Result)
		return out
	}
	e := &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: r.Error.Error()}
	var coded *jsonrpc.Error
	if errors.As(r.Error, &coded) { // it may be wrapped
		e.Code = coded.Code
		if coded.Data != nil {
			e.Data = &coded.Data
		}
	}
	return Reply{Line: respond(m, jsonrpc2.Response{Error: e}), Failed: true}
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
