package provider

import (
	"context"
	"sync"
)

// Turn has neighbouring reads of a lane ask the page in the order of their
// requests, though they run together. A tool whose declaration says TakesTurns
// waits for its own before it asks, and passes it on when it has asked. Of any
// other it is passed on at once.
type Turn struct {
	before <-chan struct{} // closed when those before have passed theirs on; nil for none
	once   sync.Once
	passed chan struct{}
}

type turnKey struct{}

// TurnFrom is the turn of the call that a context belongs to, nil for none. The
// methods of nil do nothing.
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

// Pass lets those behind have theirs, once those before have had it.
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

// turnFor is the context of a job that is about to run, with its turn; none if
// it does not only read, as what runs beside it then is of another page. The
// lock is held.
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
