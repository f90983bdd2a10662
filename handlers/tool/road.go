// Package tool declares tools and runs every call: the steps are in `road.go`; errors
// that tools share are in `explain.go`.
package tool

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/workarounds"
	"pwpipe/provider"
)

// onRoad declares a tool. This is the road of every call, whatever it is on: a page, a
// session, or nothing. Its value is found before the deadline of the tool starts, as
// that may take a browser to start.
func onRoad[On any](s Spec, t types, find func(context.Context) (On, error),
	do func(_ context.Context, _ On, in any) (any, error)) *provider.Tool {
	around := func(ctx context.Context, in any, timed provider.Timed) error {
		steps := stepsFor(ctx)
		// 1. The call waits while a person has the session.
		ctx, leave, err := gate(ctx, steps)
		if err != nil {
			return err
		}
		defer leave()
		// 2. Its page is found or opened, or its session's browser started.
		on, err := find(ctx)
		if err != nil {
			return err
		}
		// 3. If the session writes a log, what the call's refs mean is noted for it.
		ctx = noteRefs(ctx, steps)
		// 4. The deadline starts, and the tool runs: see OnPage, OnSession and Define.
		err = timed(ctx, func(ctx context.Context) (any, error) { return do(ctx, on, in) })
		// 5. A call that succeeded is logged.
		if err == nil {
			log(ctx, steps)
		}
		return err
	}
	return provider.DefineAround(provider.Spec(s), t.in, t.out, around)
}

// types are the types of a tool's parameters and of its answer. The steps of a call take them as values: Go would
// compile steps with type parameters again for each tool.
type types struct{ in, out reflect.Type }

func typesOf[In, Out any]() types { return types{reflect.TypeFor[In](), reflect.TypeFor[Out]()} }

// OnPage declares a tool that works on a page: the one that the request names,
// or the active one. fn may block in Playwright; the caller gets an answer all
// the same when the deadline passes, the page or the browser is gone, or the
// request is cancelled.
func OnPage[In, Out any](spec Spec, fn func(*Call, In) (Out, error)) *provider.Tool {
	return OnReadyPage(spec, func(context.Context, *browser.Page) error { return nil }, fn)
}

// OnReadyPage is [OnPage] for a tool that may have to fetch something. ready does that
// before the deadline starts, as it is done once on a machine and may take minutes.
func OnReadyPage[In, Out any](spec Spec, ready func(context.Context, *browser.Page) error,
	fn func(*Call, In) (Out, error)) *provider.Tool {
	return onPage(spec, typesOf[In, Out](), ready, func(c *Call, in any) (any, error) { return fn(c, *in.(*In)) })
}

// onPage has the steps of a call on a page, after those of [onRoad] and in their order.
func onPage(spec Spec, t types, ready func(context.Context, *browser.Page) error,
	fn func(_ *Call, in any) (any, error)) *provider.Tool {
	check, silent := checksOf(t.in), t.out == reflect.TypeFor[provider.None]()
	fn = shaped(fn)
	find := func(ctx context.Context) (*browser.Page, error) {
		p, err := pageOf(ctx)
		if err == nil {
			err = ready(ctx, p)
		}
		return p, err
	}
	return onRoad(spec, t, find, func(ctx context.Context, p *browser.Page, in any) (out any, err error) {
		// a. The page counts as busy; an error that a lost browser made is reported once.
		done := workarounds.Busy(p)
		defer func() { done(provider.OthersWait(ctx)); p.ReportIfLost(err) }()
		// b. It is not paused in the debugger, or the tool is for that.
		if err := p.RefusePaused(ctx, (*provider.Spec)(&spec)); err != nil {
			return out, err
		}
		// c. Viewers see what the call is on.
		c := &Call{Ctx: ctx, Page: p, notes: RefNotesFrom(ctx), sent: &atomic.Bool{}}
		provider.AimFrom(ctx).Take(p.Name, p.Short(check.target(in), shownTarget))
		// d. The page before the act is looked at, for a request that asks what happened.
		did := witness(ctx, p, spec, silent)
		defer func() { did(err) }()
		// e. Refs become selectors.
		made, err := check.refs(c, in)
		if err != nil {
			return out, err
		}
		// f. Events that follow are marked as those of an acting call; a reading one
		// waits for the driver's events.
		if spec.Effect == provider.Acts {
			events.MarkActs(p)
		}
		catchUp(provider.Spec(spec), p)
		// g. The guard judges where the page is and where it goes, and after the tool
		// where it is then.
		out, err = guard.Guarded(ctx, p, spec.Effect, check.destination(in), func() (any, error) {
			// h. From here on the call ends with its deadline, its page or its browser.
			return browser.Await(ctx, p.Engine, p, func() (out any, err error) {
				// i. What waits for an act is called.
				if spec.Effect != provider.Reads && spec.Effect != provider.Waits && !p.IsPaused() {
					p.BeforeAct(ctx)
				}
				// j. Files are judged.
				if err := check.paths(in); err != nil {
					return out, err
				}
				// k. The tool's function runs.
				return fn(c, in)
			})
		})
		out, err = c.orClosed(out, err, spec, silent)
		if err == nil && c.notes != nil {
			c.notes.noteLate()
		}
		return out, made.AsGiven(err)
	})
}

// OnPageDo is [OnPage] for a tool that answers null.
func OnPageDo[In any](spec Spec, fn func(*Call, In) error) *provider.Tool {
	return OnPage(spec, func(c *Call, in In) (provider.None, error) { return provider.None{}, fn(c, in) })
}

// OnSession declares a tool that works on handles rather than on a page.
func OnSession[In, Out any](spec Spec, fn func(context.Context, *browser.Session, In) (Out, error)) *provider.Tool {
	return onSession(spec, typesOf[In, Out](), func(ctx context.Context, s *browser.Session, in any) (any, error) {
		return fn(ctx, s, *in.(*In))
	})
}

func onSession(spec Spec, t types, fn func(context.Context, *browser.Session, any) (any, error)) *provider.Tool {
	check := checksOf(t.in)
	return onRoad(spec, t, runningSession, func(ctx context.Context, s *browser.Session, in any) (any, error) {
		if err := check.paths(in); err != nil {
			return nil, err
		}
		catchUp(provider.Spec(spec), s.OpenPages()...)
		return fn(ctx, s, in)
	})
}

// OnSessionDo is [OnSession] for a tool that answers null.
func OnSessionDo[In any](spec Spec, fn func(context.Context, *browser.Session, In) error) *provider.Tool {
	return OnSession(spec, func(ctx context.Context, s *browser.Session, in In) (provider.None, error) {
		return provider.None{}, fn(ctx, s, in)
	})
}

// Define declares a tool that works on neither: its function does all.
func Define[In, Out any](spec Spec, fn func(context.Context, In) (Out, error)) *provider.Tool {
	nothing := func(context.Context) (provider.None, error) { return provider.None{}, nil }
	return onRoad(spec, typesOf[In, Out](), nothing, func(ctx context.Context, _ provider.None, in any) (any, error) {
		return fn(ctx, *in.(*In))
	})
}

// TypedOnPage is [OnPage] for a tool that Go code calls too.
func TypedOnPage[In, Out any](spec Spec, fn func(*Call, In) (Out, error)) provider.Typed[In, Out] {
	return provider.Typed[In, Out]{Tool: OnPage(spec, fn)}
}

// TypedOnPageDo is [OnPageDo].
func TypedOnPageDo[In any](spec Spec, fn func(*Call, In) error) provider.Typed[In, provider.None] {
	return provider.Typed[In, provider.None]{Tool: OnPageDo(spec, fn)}
}

// TypedOnSession is [OnSession].
func TypedOnSession[In, Out any](spec Spec,
	fn func(context.Context, *browser.Session, In) (Out, error)) provider.Typed[In, Out] {
	return provider.Typed[In, Out]{Tool: OnSession(spec, fn)}
}

// TypedOnSessionDo is [OnSessionDo].
func TypedOnSessionDo[In any](spec Spec,
	fn func(context.Context, *browser.Session, In) error) provider.Typed[In, provider.None] {
	return provider.Typed[In, provider.None]{Tool: OnSessionDo(spec, fn)}
}

// Steps are those steps of the road that a feature, or a package above this one (agent,
// record), takes. A step that is nil is left out.
type Steps struct {
	// Gate waits while a person has the session; leave is called when the call has
	// ended.
	Gate func(context.Context) (_ context.Context, leave func(), _ error)
	// Witness looks at the page before an act. What it returns says what the act did, or
	// what happened until it failed, a line each; with silent, also that nothing changed.
	Witness func(ctx context.Context, p *browser.Page, silent bool) func(failed error) []string
	// Meanwhile says what happened on the page since the reply before, a line each. A
	// Witness says that too.
	Meanwhile func(context.Context, *browser.Page) []string
	// Logging reports whether the session writes a log, and Log adds the call to it.
	Logging func(context.Context) bool
	Log     func(context.Context)
}

// Taken has the steps that calls in a browser's sessions take.
var Taken browser.Setting[Steps]

// stepsFor answers the steps that a call takes. A call that works in no session takes none.
func stepsFor(ctx context.Context) Steps {
	if s, ok := browser.SessionFrom(ctx); ok {
		return Taken.Of(s.Browser.Config)
	}
	return Steps{}
}

// gate is the first step. Calls that work on no session go past it.
func gate(ctx context.Context, steps Steps) (_ context.Context, leave func(), _ error) {
	if steps.Gate == nil || provider.SpecFrom(ctx).Sessionless {
		return ctx, func() {}, nil
	}
	return steps.Gate(ctx)
}

// witness is a step of calls whose request asks what happened. Acts say what they did; those
// that answer a value say by it whether anything changed.
func witness(ctx context.Context, p *browser.Page, spec Spec, silent bool) (did func(error)) {
	steps := Taken.Of(p.Session.Browser.Config)
	if steps.Witness == nil || !provider.RequestFrom(ctx).Tell {
		return func(error) {}
	}
	var said func(error) []string
	if spec.Effect == provider.Acts {
		said = steps.Witness(ctx, p, silent)
	} else if before := steps.Meanwhile(ctx, p); len(before) > 0 {
		said = func(error) []string { return before }
	}
	return func(failed error) {
		if said == nil || errors.Is(ctx.Err(), context.Canceled) { // nobody listens
			return
		}
		late := context.WithoutCancel(ctx) // the call's time may be over
		// It may quote the page, so the page is judged again.
		lines, err := guard.Guarded(late, p, provider.Reads, "", func() ([]string, error) { return said(failed), nil })
		if err == nil {
			provider.Happened(ctx, lines)
		}
	}
}

// noteRefs is the third step.
func noteRefs(ctx context.Context, steps Steps) context.Context {
	if steps.Logging == nil || provider.SpecFrom(ctx).Unlogged || !steps.Logging(ctx) {
		return ctx
	}
	return withRefNotes(ctx)
}

// RefNotesFrom are the notes of the call under ctx, nil where none are taken.
func RefNotesFrom(ctx context.Context) *RefNotes {
	notes, _ := ctx.Value(refNotesKey{}).(*RefNotes)
	return notes
}

// log is the last step. A batch is logged whole, so its steps are not.
func log(ctx context.Context, steps Steps) {
	if steps.Log != nil && !provider.SpecFrom(ctx).Unlogged && !provider.RequestFrom(ctx).IsPart() {
		steps.Log(ctx)
	}
}

// runningSession is the session, and starts what it takes.
func runningSession(ctx context.Context) (*browser.Session, error) {
	s := browser.SessionOf(ctx)
	_, err := s.Running(ctx)
	return s, err
}

// pageOf finds the page, and starts what it takes.
func pageOf(ctx context.Context) (*browser.Page, error) {
	handle := provider.RequestFrom(ctx).Page
	for {
		p, err := browser.SessionOf(ctx).Page(ctx, handle)
		if err != nil {
			return nil, err
		}
		err = p.Settled(ctx)
		if err == nil {
			return p, nil
		}
		// A page that hung has been closed meanwhile. A call that named it gets
		// the error; any other gets the page in its place.
		if handle != "" || ctx.Err() != nil {
			return nil, err
		}
	}
}

type callKey struct{}

// Answer is the shape of an alias's answer, made on the page.
func Answer[In, From, To any](fn func(c *Call, in In, answer From) (To, error)) *provider.Shape {
	return provider.Answer(func(ctx context.Context, in In, answer From) (To, error) {
		return fn(ctx.Value(callKey{}).(*Call), in, answer)
	})
}

// shaped makes the answer of an alias where the tool's own was made.
func shaped(fn func(*Call, any) (any, error)) func(*Call, any) (any, error) {
	return func(c *Call, in any) (any, error) {
		out, err := fn(c, in)
		if err == nil {
			err = provider.Shaped(context.WithValue(c.Ctx, callKey{}, c), reflect.ValueOf(in).Elem().Interface(), out)
		}
		return out, err
	}
}
