package provider

import (
	"context"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// WithRequestID gives the calls under ctx an id, by which a log tells which of them
// belong to one request of a client: the client's own if that is a uuid, else a new one.
func WithRequestID(ctx context.Context, own string) context.Context {
	id, err := uuid.Parse(own)
	if err != nil {
		id = uuid.New()
	}
	return context.WithValue(ctx, requestIDKey{}, id.String())
}

// RequestID is the id of the request that a call came with, "" where its surface gives
// none: on a pipe a client's own ids tell requests apart.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// SameRequest gives the calls under ctx the id that of has.
func SameRequest(ctx, of context.Context) context.Context {
	return context.WithValue(ctx, requestIDKey{}, RequestID(of))
}
