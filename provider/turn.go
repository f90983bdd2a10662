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

type turnKey struct{}

// TurnFrom is the turn of the call that a context belongs to, nil for none. The methods
// of nil do nothing.
func TurnFrom(ctx context.Context) *Turn {
	t, _ := ctx.Value(turnKey{}).(*Turn)
	return t
}

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

// turnFor is the context of a job that is about to run, with its turn. A job that does
// not only read has none: jobs that run beside it use other pages. The lock is held.
func (l *Lanes) turnFor(j *job) (context.Context, *Turn) {
	if len(j.touches) != 1 || j.touches[0].Effect != Reads {
		return j.ctx, nil
	}
	lane := j.lane
	if lane != "" && lane == l.pages.Active() {
		lane = ""
	}
	t := &Turn{before: l.turns[lane], passed: make(chan struct{})}
	l.turns[lane] = t.passed
	return context.WithValue(j.ctx, turnKey{}, t), t
}
