package provider

import (
	"context"
	"encoding/json"
)

// Sessions holds the sessions of clients that name one with each request, by
// session_id. The handlers answer it.
type Sessions interface {
	// Create opens a session with a browser context of its own.
	Create(ctx context.Context) (id string, err error)
	// Bind makes ctx that of calls in a session and marks the session as in
	// use until release is called with how the call ended.
	Bind(ctx context.Context, id string) (bound context.Context, release func(*Error), err error)
	// Close closes a session and everything in it.
	Close(ctx context.Context, id string) error
	// Open counts the sessions that are open.
	Open() int
}

// Emitter sends a client what it did not ask for, such as events it subscribed
// to. A surface that can puts one into the context of its calls.
type Emitter struct {
	// Connection ends when the client can't be reached any more.
	Connection context.Context
	// Emit sends one event, a JSON object whose first member is "event". It
	// may block while the client is slow.
	Emit func(event json.RawMessage) error
	// Key tells one connection from another.
	Key any

	table *Table // of the call that it was got from
}

// Send sends an event that can be encoded to such an object, with secrets
// masked and what a page worded marked. Handlers call it rather than Emit.
func (e *Emitter) Send(event any) error {
	raw, err := e.table.redactEvent(event)
	if err != nil {
		return err
	}
	return e.Emit(raw)
}

type clientKey struct{}

// WithClient says who calls, so that clients can be told from each other: an
// address, or whatever a surface knows them by.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientFrom is who calls, "" where that is one and the same.
func ClientFrom(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

type callerKey struct{}

// WithCaller says who calls in words for people, such as an address and a program.
// A key or an id of a session must not be among them.
func WithCaller(ctx context.Context, words string) context.Context {
	return context.WithValue(ctx, callerKey{}, words)
}

// CallerFrom is who calls, in words for people; "" where nobody said so.
func CallerFrom(ctx context.Context) string {
	words, _ := ctx.Value(callerKey{}).(string)
	return words
}

type emitterKey struct{}

// WithEmitter lets the tools called under ctx send events.
func WithEmitter(ctx context.Context, e *Emitter) context.Context {
	return context.WithValue(ctx, emitterKey{}, e)
}

// EmitterFrom is the emitter of a call, nil where the surface answers requests
// and nothing else.
func EmitterFrom(ctx context.Context) *Emitter {
	e, _ := ctx.Value(emitterKey{}).(*Emitter)
	if e == nil {
		return nil
	}
	of := *e
	of.table = tableOf(ctx)
	return &of
}

// bind binds a call to the session that it names.
func (t *Table) bind(ctx context.Context, tool *Tool, r Request) (context.Context, func(*Error), error) {
	if r.Session == "" || tool.Sessionless {
		return ctx, func(*Error) {}, nil
	}
	if t.options.Sessions == nil {
		return ctx, nil, Errorf(KindNoTarget, "no session %s", r.Session).WithHint("there are no sessions here; leave session_id out")
	}
	return t.options.Sessions.Bind(ctx, r.Session)
}
