package provider

import (
	"context"
	"sync"

	"pwpipe/provider/internal/rawjson"
)

// Touch is the effect of one call on the order.
type Touch struct {
	Page   string // "" for the active page
	Target string // a page that the call closes, named in its params
	Effect Effect
}

// Touch is the effect of a message on the order.
func (t *Table) Touch(m *Message) Touch {
	if m.Err != nil {
		return Touch{Effect: Reads}
	}
	r := m.called()
	tool := t.Find(r.Tool)
	if tool == nil {
		return Touch{Page: r.Page, Effect: Reads}
	}
	to := Touch{Page: r.Page, Effect: tool.Effect}
	if r.split() != nil {
		return to
	}
	if page, ok := rawjson.Text(r.args.named.Get("page")); ok && !tool.Has("page") {
		to.Page = page
	}
	if tool.Target != "" {
		to.Target, _ = rawjson.Text(tool.arg(r.args, tool.Target))
	}
	return to
}

// Before reports whether a later call must wait for this one, on surfaces where each
// answer has its own way back. [Lanes] decides this for a stream.
func (e Touch) Before(later Touch) bool {
	switch {
	case e.Effect == Switches || later.Effect == Switches:
		return true
	case e.Effect == Reads && later.Effect == Reads:
		return false
	}
	return e.Page == later.Page || e.Page == "" || later.Page == ""
}

// blocks reports whether a later call must wait for this one on a stream, which also
// keeps the order of replies. switching: a call that chooses pages is running.
func (e Touch) blocks(later Touch, pages Pages, active string, switching bool) bool {
	if e.Page == "" && later.Page != "" && !pages.Known(later.Page) {
		return true // it may be about to open that very page
	}
	if e.Effect == Reads && later.Effect == Reads {
		return false
	}
	if later.Target != "" && later.Target == e.Page || e.Target != "" && e.Target == later.Page {
		return true
	}
	switch {
	case e.Page == later.Page:
		return true
	case e.Page == "":
		return e.Effect == Switches || later.Page == active
	case later.Page == "":
		return e.Page == active || switching
	}
	return false
}

// laneOf is the lane whose order the reply keeps.
func laneOf(j *job) string {
	lane := j.touches[0].Page
	for _, t := range j.touches {
		if t.Page != lane {
			return ""
		}
	}
	return lane
}

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
