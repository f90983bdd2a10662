package provider

import (
	"context"
	"sync"
)

// exchange holds what a call has besides its result, for dialects that show more than
// JSON: the files that it wrote, and its question to the client's person.
type exchange struct {
	mu    sync.Mutex
	files []File

	asking *Asking // nil if the client can't ask
}

type exchangeKey struct{}

func exchangeIn(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// Carry copies the exchange of one call's context to another context, for surfaces that
// call under a context of their own.
func Carry(to, from context.Context) context.Context {
	return context.WithValue(to, exchangeKey{}, exchangeIn(from))
}

// Asking is a client that shows a question to its person and repeats the call with the
// answer.
type Asking struct {
	State  string // of the answered question, "" in the first call
	Answer string // "accept", "decline" or "cancel"; "" for none
	// Links says that the client shows a link, and that accepting opens it. Otherwise
	// the message has the link, and accepting means that the person is done.
	Links bool

	question *Question
}

// Question is for a client's person.
type Question struct {
	Message, URL string
	State        string // comes back with the answer; nobody can guess it
}

// AskingFrom is the handler's way to ask the client's person. It is nil if the client
// can't ask; then the call has one answer. A step of another call can't ask, because
// the other call would go on.
func AskingFrom(ctx context.Context) *Asking {
	x, r := exchangeIn(ctx), runningIn(ctx)
	if x == nil || r == nil || r.request.part {
		return nil
	}
	return x.asking
}

// Ask makes the question the answer to this call. The handler's result is dropped.
func (a *Asking) Ask(q Question) { a.question = &q }
