package handlers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

type sessionKey struct{}

// WithSession binds the tools called under ctx to a session.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionOf is the session that a call belongs to.
func sessionOf(ctx context.Context) *Session { return ctx.Value(sessionKey{}).(*Session) }

// sessionIn is the session that a call belongs to, if it does to one.
func sessionIn(ctx context.Context) (*Session, bool) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	return s, ok
}

// call is one call of a tool on a page.
type call struct {
	ctx context.Context
	*page
	waits time.Duration // of a part that has less time than the whole, else 0
}

// upTo is the call for a part of it that takes no longer than d, unless the
// caller gave a deadline of its own: one that is not the tool's.
func (c *call) upTo(d, tools time.Duration) *call {
	if provider.RequestFrom(c.ctx).Deadline != tools {
		return c
	}
	part := *c
	part.ctx, part.waits = atMost(c.ctx, d), d
	return &part
}

// atMost is ctx with a deadline in d. The whole call's end frees it.
func atMost(ctx context.Context, d time.Duration) context.Context {
	short, cancel := context.WithTimeout(ctx, d)
	context.AfterFunc(ctx, cancel)
	return short
}

// after is how long the call may take, or the part of it that c is.
func (c *call) after() time.Duration {
	if c.waits > 0 {
		return c.waits
	}
	return provider.RequestFrom(c.ctx).Deadline
}

// settled waits while it is found out whether the page hangs.
func (p *page) settled(ctx context.Context) error {
	p.mu.Lock()
	checking := p.checking
	p.mu.Unlock()
	if checking == nil {
		return nil
	}
	select {
	case <-checking:
	case <-ctx.Done():
		return ctx.Err()
	}
	return p.lost()
}

// lost is the error of a page or a browser that is gone, nil if it is there.
func (p *page) lost() error {
	select {
	case <-p.engine.gone:
		return p.engine.lostError()
	case <-p.gone:
		s := p.session
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.missingPage(p.name)
	default:
		return nil
	}
}

// A cancelled call is answered at once, but its lane waits this long for what
// Playwright has under way, so that it can't act after the next request.
const cancelGrace = 1500 * time.Millisecond

// goneGrace is how long a call may take to say itself that its page is gone.
const goneGrace = 200 * time.Millisecond

// lateGrace is how long after the deadline Playwright's own word is waited for:
// on a busy machine it comes a moment late.
const lateGrace = 500 * time.Millisecond

// outcome is how a call into Playwright ended.
type outcome[T any] struct {
	value T
	err   error
	panic any
}

// await runs a call into Playwright in a goroutine of its own and waits for
// whatever comes first: its end, the end of ctx, of the page (nil for none) or
// of the browser, or a pause in the debugger. Playwright calls take no context
// and may never return.
func await[T any](ctx context.Context, e *engine, p *page, fn func() (T, error)) (T, error) {
	o, err := firstOf(ctx, e, p, begin(fn))
	if o.panic != nil {
		panic(o.panic)
	}
	if err == nil {
		err = o.err
		if err != nil && isClosed(err) {
			if gone := settleClosed(e, p); gone != nil {
				err, o = gone, outcome[T]{}
			}
		}
	}
	return o.value, err
}

// awaitDo is await for what has no value.
func awaitDo(ctx context.Context, e *engine, p *page, fn func() error) error {
	_, err := await(ctx, e, p, func() (struct{}, error) { return struct{}{}, fn() })
	return err
}

func begin[T any](fn func() (T, error)) <-chan outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		var o outcome[T]
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
func firstOf[T any](ctx context.Context, e *engine, p *page, done <-chan outcome[T]) (outcome[T], error) {
	var gone chan struct{}
	tool := provider.SpecFrom(ctx)
	if p != nil && !tool.Scripts { // a script may close its page and go on
		gone = p.gone
	}
	select {
	case o := <-done:
		return o, nil
	case <-e.gone:
		return outcome[T]{}, e.lostError()
	case <-p.pausing(tool):
		// The page answers nothing more until it is resumed.
		return shortly(done, 0, nil, func() error { return p.stoppedError(tool) })
	case <-gone:
		// The call may be the one that closed the page, or be about to say
		// more exactly what happened.
		return shortly(done, goneGrace, nil, p.lost)
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return shortly(done, cancelGrace, e.gone, func() error {
				e.check(p)
				return ctx.Err()
			})
		}
		// What Playwright says knows more than that it is late.
		return shortly(done, lateGrace, nil, func() error {
			e.check(p)
			return late(ctx, p)
		})
	}
}

// shortly is the outcome if it comes soon, else an error. A gone that is closed
// ends the wait.
func shortly[T any](done <-chan outcome[T], soon time.Duration, gone <-chan struct{}, otherwise func() error) (outcome[T], error) {
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
		return outcome[T]{}, otherwise()
	}
}

// isClosed tells the errors of Playwright that mean "it is gone".
func isClosed(err error) bool {
	if errors.Is(err, playwright.ErrTargetClosed) {
		return true
	}
	msg := err.Error()
	return strings.Contains(msg, "Connection closed") || strings.Contains(msg, "has been closed") ||
		strings.Contains(msg, "could not send message") || strings.Contains(msg, "Target crashed") || strings.Contains(msg, "Page crashed")
}

// settleClosed gives the events a moment to say what is gone, and why.
func settleClosed(e *engine, p *page) error {
	var gone chan struct{}
	if p != nil {
		gone = p.gone
	}
	select {
	case <-e.gone:
		return e.lostError()
	case <-gone:
		// A browser that dies closes its pages first.
		select {
		case <-e.gone:
			return e.lostError()
		case <-time.After(150 * time.Millisecond):
			return p.lost()
		}
	case <-time.After(500 * time.Millisecond):
		return nil
	}
}

// late words a deadline that passed without an answer.
func late(ctx context.Context, p *page) error {
	e := provider.Errorf(provider.KindTimeout, "no answer after %s", seconds(provider.RequestFrom(ctx).Deadline))
	if p != nil {
		at := p.where()
		e.Msg += fmt.Sprintf(" on %s", at)
		e.Page, e.URL = at.page, at.url
		if by := p.heldBy(); by != nil {
			e.Hint = by.name + " is paused in the debugger, and pages of one process pause together; debug-resume lets them go on"
		}
	}
	e.Err = ctx.Err()
	return e
}

// margin is how much earlier than our deadline Playwright's own timeout is
// set, so that there is time to find out why and say it.
const (
	margin     = 100 * time.Millisecond
	mostMargin = 300 * time.Millisecond
)

// left is the time that a Playwright call may take, in milliseconds.
func (c *call) left() *float64 {
	deadline, _ := c.ctx.Deadline()
	d := time.Until(deadline)
	if d > 4*margin {
		d -= min(max(margin, d/20), mostMargin)
	} else {
		d = d * 3 / 4
	}
	return playwright.Float(max(1, float64(d.Microseconds())/1000))
}

// slice is how long one attempt of an action may wait. Playwright calls can't
// be taken back; short attempts see to it that what was cancelled does not
// happen seconds later.
const slice = time.Second

// attempt runs something that waits for an element and may be repeated without
// harm, in slices, until it is done or the deadline is near.
func (c *call) attempt(sel string, act func(timeout *float64) error) error {
	var told error // the last one that said why
	for {
		timeout := c.left()
		last := *timeout <= float64(slice.Milliseconds())
		if !last {
			timeout = playwright.Float(float64(slice.Milliseconds()))
		}
		err := act(timeout)
		if err == nil {
			return nil
		}
		if obstacle(err) != "" {
			told = err
		}
		if last && told != nil && errors.Is(err, playwright.ErrTimeout) {
			err = told // the last attempt may have been too short to find out
		}
		if last || !errors.Is(err, playwright.ErrTimeout) || c.ctx.Err() != nil {
			return c.fail(err, sel)
		}
	}
}

// once runs something that must not happen twice, such as a click: an attempt
// that times out may have clicked and be waiting for the page that loads. Only
// the wait for the element is sliced: act is first tried without acting
// (trial), unless a look at the element says that it is ready.
func (c *call) once(sel string, act func(timeout *float64, trial bool) error) error {
	if why, err := c.why(sel); err == nil && why != ready {
		if err := c.attempt(sel, func(timeout *float64) error { return act(timeout, true) }); err != nil {
			return err
		}
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	return c.fail(act(c.left(), false), sel)
}

// fail words an error of Playwright about this call's page.
func (c *call) fail(err error, sel string) error {
	if err == nil || isClosed(err) {
		return err // await knows what is gone
	}
	if f := c.chosenFrame(); f != nil && f.IsDetached() {
		return frameGone(c.where())
	}
	e := provider.AsError(failure(err, sel, c.after(), c.where()))
	if sel != "" && errors.Is(err, playwright.ErrTimeout) {
		c.explain(e, sel, err)
	}
	return e
}
