package provider

import (
	"context"
	"sync"
)

// Turn makes neighbouring reads of a lane ask the page in the order of their requests,
// though they run in parallel. A tool with TakesTurns waits for its turn before it
// asks, and passes it on when it has asked. For other tools the turn passes at once.
type Turn struct {
	before <-chan struct{} // closed when the turns before have passed; nil for none
	once   sync.Once
	passed chan struct{}
}

// WithTurn gives the call under ctx the turn after another, which before ends; nil for none.
func WithTurn(ctx context.Context, before <-chan struct{}) (context.Context, *Turn) {
	t := &Turn{before: before, passed: make(chan struct{})}
	return context.WithValue(ctx, turnKey, t), t
}

// Passed is closed when the turn, and those before it, have passed.
func (t *Turn) Passed() <-chan struct{} { return t.passed }

// TurnFrom is the turn of the call that a context belongs to, nil for none. The methods
// of nil do nothing.
func TurnFrom(ctx context.Context) *Turn { return fromContext[*Turn](ctx, turnKey) }

// Wait reports whether the turn has come before ctx ended.
func (t *Turn) Wait(ctx context.Context) bool {
	if t == nil || t.before == nil {
		return true
	}
	select {
	case <-t.before:
		return true
	case <-ctx.Done():
		return false
	}
}

// Pass passes the turn on, after the turns before it have passed.
func (t *Turn) Pass() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		if t.before == nil {
			close(t.passed)
			return
		}
		select {
		case <-t.before:
			close(t.passed)
		default:
			go func() { <-t.before; close(t.passed) }()
		}
	})
}
