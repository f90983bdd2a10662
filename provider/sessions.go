package provider

import (
	"context"
	"encoding/json"
)

// Sessions holds the sessions that clients name in requests, by session_id. The
// handlers implement it.
type Sessions interface {
	// Create opens a session with a browser context of its own.
	Create(ctx context.Context) (id string, err error)
	// Bind puts the session into ctx and marks it as in use until release is called
	// with the call's error.
	Bind(ctx context.Context, id string) (bound context.Context, release func(*Error), err error)
	// Close closes a session and everything in it.
	Close(ctx context.Context, id string) error
	// Open is the number of open sessions.
	Open() int
}

// Emitter sends events to a client. A surface that can send events puts one into the
// context of its calls.
type Emitter struct {
	// Connection ends when the client can't be reached any more.
	Connection context.Context
	// Emit sends one event, a JSON object whose first member is "event". It may block
	// while the client is slow.
	Emit func(event json.RawMessage) error
	// Key identifies the connection.
	Key any

	table *Table // of the call that owns the context
}

// Send encodes an event, masks its secrets, marks its page texts and sends it. Handlers
// call Send, not Emit.
func (e *Emitter) Send(event any) error {
	raw, err := e.table.redactEvent(event)
	if err != nil {
		return err
	}
	return e.Emit(raw)
}

type clientKey struct{}

// WithClient sets the client, so that clients can be told apart: an address, or any
// other key of the surface.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientFrom is the client, "" if there is only one.
func ClientFrom(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

type callerKey struct{}

// WithCaller describes the client for people, such as an address and a program. The
// text must not contain a key or a session's id.
func WithCaller(ctx context.Context, words string) context.Context {
	return context.WithValue(ctx, callerKey{}, words)
}

// CallerFrom describes the client for people, "" if unknown.
func CallerFrom(ctx context.Context) string {
	words, _ := ctx.Value(callerKey{}).(string)
	return words
}

type emitterKey struct{}

// WithEmitter lets tools called under ctx send events.
func WithEmitter(ctx context.Context, e *Emitter) context.Context {
	return context.WithValue(ctx, emitterKey{}, e)
}

// EmitterFrom is the emitter of a call, nil if the surface can't send events.
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
