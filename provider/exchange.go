package provider

import (
	"context"
	"sync"
)

// exchange is what one call of a dialect that shows more than JSON has besides its
// result: the files that it wrote, and what its client's person is asked.
type exchange struct {
	mu    sync.Mutex
	files []File

	asking *Asking // nil where the client can't ask
}

type exchangeKey struct{}

func exchangeIn(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// Carry gives a context what the call of another has besides its result, for
// surfaces that call under a context of their own.
func Carry(to, from context.Context) context.Context {
	return context.WithValue(to, exchangeKey{}, exchangeIn(from))
}

// Asking is a client that shows its person a question and calls again with the answer.
type Asking struct {
	State  string // of the question that is answered, "" in the first call
	Answer string // "accept", "decline" or "cancel"; "" for none
	// Links says that the person is shown a link, and that to accept is to open it.
	// Else the link is in the message, and to accept is to say that it is done.
	Links bool

	question *Question
}

// Question is for a client's person.
type Question struct {
	Message, URL string
	State        string // comes back with the answer; nobody can guess it
}

// AskingFrom is how the client of a handler's context asks its person, nil where it
// can't: then there is one answer to the call. A step of another call can't ask, for
// the other would go on.
func AskingFrom(ctx context.Context) *Asking {
	x, r := exchangeIn(ctx), runningIn(ctx)
	if x == nil || r == nil || r.request.part {
		return nil
	}
	return x.asking
}

// Ask has the question be the answer to this call. The handler's result is dropped.
func (a *Asking) Ask(q Question) { a.question = &q }
