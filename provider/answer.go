package provider

import (
	"context"
	"slices"
	"sync"
)

// unwritten is a request until its answer is written, with what it holds until then.
type unwritten struct {
	mu      sync.Mutex
	over    bool
	held    []any
	release []func()
}

// Answering is for surfaces: what calls under ctx hold until their answer is written is
// released by written. Where no surface says so, it is released when the call ends.
func Answering(ctx context.Context) (_ context.Context, written func()) {
	u := &unwritten{}
	return context.WithValue(ctx, unwrittenKey, u), u.end
}

// Hold has release called once the answer to the request under ctx is written, and notes
// what the request holds until then.
func Hold(ctx context.Context, what any, release func()) {
	u := fromContext[*unwritten](ctx, unwrittenKey)
	u.mu.Lock()
	over := u.over
	if !over {
		u.held, u.release = append(u.held, what), append(u.release, release)
	}
	u.mu.Unlock()
	if over { // it was cancelled, and that was its answer
		release()
	}
}

// Holds reports whether the request under ctx holds that already. It must not wait then for
// another: who has that may wait for this one.
func Holds(ctx context.Context, what any) bool {
	u := fromContext[*unwritten](ctx, unwrittenKey)
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Contains(u.held, what)
}

// end releases what is held.
func (u *unwritten) end() {
	u.mu.Lock()
	list := u.release
	u.held, u.release, u.over = nil, nil, true
	u.mu.Unlock()
	for _, release := range list {
		release()
	}
}
