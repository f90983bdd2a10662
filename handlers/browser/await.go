package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

type sessionKey struct{}

// WithSession binds the tools called under ctx to a session.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// SessionOf is the session that a call belongs to.
func SessionOf(ctx context.Context) *Session { return ctx.Value(sessionKey{}).(*Session) }

// SessionFrom is the session that a call belongs to, if it does to one.
func SessionFrom(ctx context.Context) (*Session, bool) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	return s, ok
}

// Settled waits while it is found out whether the page hangs.
func (p *Page) Settled(ctx context.Context) error {
	checking := p.checked()
	if checking == nil {
		return nil
	}
	select {
	case <-checking:
	case <-ctx.Done():
		return ctx.Err()
	}
	return p.Lost()
}

// Lost is the error of a page or a browser that is gone, nil if it is there.
func (p *Page) Lost() error {
	select {
	case <-p.Engine.Gone:
		return p.Engine.LostError()
	case <-p.Gone:
		return p.Session.goneError(p.Name)
	default:
		return nil
	}
}

// A cancelled call is answered at once, but its lane waits this long for what
// Playwright has under way, so that it can't act after the next request.
const cancelGrace = 1500 * time.Millisecond

// goneGrace is how long a call may take to say itself that its page is gone, and how far it had come.
const goneGrace = time.Second

// LateGrace is how long after the deadline Playwright's own word is waited for:
// on a busy machine it comes a moment late.
const LateGrace = time.Second

// outcome is how a call into Playwright ended.
type outcome struct {
	value, panic any
	err          error
}

// Await runs a call into Playwright in a goroutine of its own and waits for
// whatever comes first: its end, the end of ctx, of the page (nil for none) or
// of the browser, or a pause in the debugger. Playwright calls take no context
// and may never return.
func Await[T any](ctx context.Context, e *Engine, p *Page, fn func() (T, error)) (T, error) {
	got, err := await(ctx, e, p, func() (any, error) { return fn() })
	value, _ := got.(T)
	return value, err
}

func await(ctx context.Context, e *Engine, p *Page, fn func() (any, error)) (any, error) {
	o, err := firstOf(ctx, e, p, begin(fn))
	if o.panic != nil {
		panic(o.panic)
	}
	if err == nil {
		err = o.err
		if err != nil && pwerrors.IsClosed(err) {
			if gone := settleClosed(ctx, e, p); gone != nil {
				own := *provider.AsError(gone)
				own.Err = cmp.Or(own.Err, err) // how far the call had come
				err, o = &own, outcome{}
			}
		}
	}
	return o.value, err
}

// AwaitDo is [Await] for what has no value.
func AwaitDo(ctx context.Context, e *Engine, p *Page, fn func() error) error {
	_, err := await(ctx, e, p, func() (any, error) { return nil, fn() })
	return err
}

func begin(fn func() (any, error)) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.panic = provider.Panic{Value: r, Stack: debug.Stack()}
			}
			done <- o
		}()
		o.value, o.err = fn()
	}()
	return done
}

// firstOf is the outcome, or the error of what came before it.
func firstOf(ctx context.Context, e *Engine, p *Page, done <-chan outcome) (outcome, error) {
	var gone chan struct{}
	tool := provider.SpecFrom(ctx)
	if p != nil && !tool.Scripts { // a script may close its page and go on
		gone = p.Gone
	}
	select {
	case o := <-done:
		return o, nil
	case <-e.Gone:
		return outcome{}, ReportLost(ctx, e)
	case <-p.pausing(tool):
		// The page answers nothing more until it is resumed.
		return shortly(done, 0, nil, func() error { return p.pausedMeanwhile(tool) })
	case <-gone:
		// The call may be the one that closed the page, or be about to say
		// more exactly what happened.
		return shortly(done, goneGrace, nil, p.Lost)
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return shortly(done, cancelGrace, e.Gone, func() error {
				e.check(p)
				return ctx.Err()
			})
		}
		// What Playwright says knows more than that it is late.
		return shortly(done, LateGrace, nil, func() error {
			e.check(p)
			return late(ctx, p)
		})
	}
}

// shortly is the outcome if it comes soon, else an error. A gone that is closed
// ends the wait.
func shortly(done <-chan outcome, soon time.Duration, gone <-chan struct{}, otherwise func() error) (outcome, error) {
	select {
	case o := <-done:
		return o, nil
	case <-gone:
	case <-time.After(soon):
	}
	select {
	case o := <-done: // both may have come at once
		return o, nil
	default:
		return outcome{}, otherwise()
	}
}

// settleClosed gives the events a moment to say what is gone, and why.
func settleClosed(ctx context.Context, e *Engine, p *Page) error {
	var gone chan struct{}
	if p != nil {
		gone = p.Gone
	}
	select {
	case <-e.Gone:
		return ReportLost(ctx, e)
	case <-gone:
		// A browser that dies closes its pages first.
		select {
		case <-e.Gone:
			return ReportLost(ctx, e)
		case <-time.After(150 * time.Millisecond):
			return p.Lost()
		}
	case <-time.After(500 * time.Millisecond):
		if !e.Alive() {
			return ReportLost(ctx, e)
		}
		return nil
	}
}

// late words a deadline that passed without an answer.
func late(ctx context.Context, p *Page) error {
	e := provider.Errorf(provider.KindTimeout, "no answer after %s", pwerrors.Seconds(provider.RequestFrom(ctx).Deadline))
	if p != nil {
		at := p.Where()
		e.Msg += fmt.Sprintf(" on %s", at)
		e.Page, e.URL = at.Page, at.URL
		if by := p.heldBy(); by != nil {
			e.Hint = by.Name + " is paused in the debugger, and pages of one process pause together; debug-resume lets them go on"
		}
	}
	e.Err = ctx.Err()
	return e
}

// Slice is how long one attempt of an action may wait. Playwright calls can't
// be taken back; with short attempts a cancelled action does not happen
// seconds later.
const Slice = time.Second

// One fault of a browser is one error to each session that had something in it: to the
// call that ran, or else to the first that comes. What a fresh page says is never
// taken for what the old one would have said.

// ReportLost is the error of a browser that was lost while a call ran.
func ReportLost(ctx context.Context, e *Engine) error {
	if s, ok := SessionFrom(ctx); ok {
		s.report(e)
	}
	return e.LostError()
}

// ReportIfLost looks whether the error of a call on a page is that its browser was lost.
func (p *Page) ReportIfLost(err error) {
	if err != nil && provider.AsError(err).Kind == provider.KindUnavailable && !p.Engine.Alive() {
		p.Session.report(p.Engine)
	}
}
