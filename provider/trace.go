package provider

import "context"

// Tracer follows calls for a tracing system, together with an [Observer], which sees them end.
type Tracer struct {
	// Incoming adds to a message's context the trace that its sender says it belongs to. get
	// reads a header of the request, or a member of MCP's _meta.
	Incoming func(ctx context.Context, get func(key string) string) context.Context
	// Start sees a call before it runs. The context that it returns is the call's, the
	// observers' and that of the calls that the call makes.
	Start func(ctx context.Context, r Request) context.Context
}

// Trace sets the table's tracer. It must be called before the first call.
func (t *Table) Trace(tracer Tracer) { t.tracer = &tracer }

// Incoming calls the tracer's Incoming, if there is one.
func (t *Table) Incoming(ctx context.Context, get func(key string) string) context.Context {
	if t.tracer == nil {
		return ctx
	}
	return t.tracer.Incoming(ctx, get)
}
