package browser

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/contextoptions"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// Session is one client's contexts and pages: what is open is in its table, how
// much may be open in its limits, and whether it goes on in its life. Each has a lock
// of its own. The table's may be held while one of the other two is taken.
type Session struct {
	Browser *Browser
	Options SessionOptions
	Begun   time.Time
	opening sync.Mutex // held while a default page is opened

	keep
	table
	limits
	life
}

// SessionOptions say what a session is like.
type SessionOptions struct {
	ID     string         // in a pool, "" for the only one of a stream
	Name   string         // for people; its client gave it, so it may be any text
	Owner  string         // who opened it, in words for people
	Tabs   Tabs           // whether the open tabs of an attached browser are this session's to have
	Team   string         // whose it is among those that share the service
	Policy *policy.Policy // where its pages may go; nil for where the browser may
	Shared bool           // others use the same browser: what belongs to all of it is out of reach
	// Keep keeps a pool from closing the session until release; nil outside of
	// one.
	Keep func() (release func())
	// Reconnects leaves a browser unreported that was lost between two calls: the next call works
	// on a fresh page.
	Reconnects bool
	// Context is what the session's contexts are opened with; nil for nothing.
	Context func() (playwright.BrowserNewContextOptions, error)
}

// NewSession makes a session without pages.
func (b *Browser) NewSession(o SessionOptions) *Session {
	s := &Session{Browser: b, Options: o, Begun: time.Now(), limits: newLimits(b.Config.MaxPages)}
	s.table = newTable(&s.limits)
	s.ownPages()
	return s
}

// Policy says where the session's pages may go.
func (s *Session) Policy() *policy.Policy { return cmp.Or(s.Options.Policy, s.Browser.Policy()) }

// Room is how many more pages the session may have.
func (s *Session) Room() int { return s.room.Left() }

// Running returns the engine, and tells the handles of an older one what
// became of it.
func (s *Session) Running(ctx context.Context) (*Engine, error) {
	e, err := s.Browser.ensure(ctx)
	if err != nil {
		return nil, err
	}
	s.moveTo(e, &s.life)
	if err := s.takeUnreported(); err != nil && !s.Options.Reconnects {
		return nil, err
	}
	if s.Browser.Config.Lends() {
		err = s.adopt(ctx, e)
	}
	return e, err
}

// Page finds a page by its handle, or the active one, which is opened if there
// is none.
func (s *Session) Page(ctx context.Context, handle string) (*Page, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return nil, err
	}
	if handle != "" {
		return s.named(ctx, handle)
	}
	if err := s.takeFlooded(); err != nil {
		return nil, err
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if p, _ := s.latest(); p != nil {
		return p, nil
	}
	within := max(openTime, provider.RequestFrom(ctx).Deadline)
	soon, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	p, err := firstPage(soon, s, e)
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return nil, opensNothing(e, within)
	}
	return p, err
}

// openTime is how long a browser that runs may take to open the default page: more than
// that where the call itself has more.
const openTime = 30 * time.Second

// opensNothing is the error of a browser that runs and opens no page.
func opensNothing(e *Engine, within time.Duration) error {
	err := provider.Errorf(provider.KindUnavailable, "the browser runs, but has opened no page in %s",
		pwerrors.Seconds(within))
	if low := e.Limited(); low != nil {
		err.Msg += ": " + low.Error()
	}
	return err
}

// firstPage opens the default page, in the context that is there or in a new one.
func firstPage(ctx context.Context, s *Session, e *Engine) (*Page, error) {
	_, c := s.latest()
	if c == nil {
		var err error
		if c, _, err = s.NewContext(ctx, e); err != nil {
			return nil, err
		}
		for _, pw := range c.Pages() { // that of a persistent profile has one
			if p := s.Find(pw); p != nil {
				s.activate(p, true)
				return s.opened(ctx, e, c, pw)
			}
		}
	}
	p, err := s.NewPage(ctx, e, c)
	if err == nil {
		s.activate(p, true)
	}
	return p, err
}

// NewContext opens a context: browser.newContext. Of a persistent profile the
// first context is the profile's own.
func (s *Session) NewContext(ctx context.Context, e *Engine) (playwright.BrowserContext, string, error) {
	return s.NewContextWith(ctx, e, contextoptions.Request{})
}

// NewContextWith is NewContext with options over the session's.
func (s *Session) NewContextWith(
	ctx context.Context, e *Engine, asked contextoptions.Request,
) (playwright.BrowserContext, string, error) {
	closings := s.closings.Load()
	c, err := s.open(ctx, e, asked)
	if err != nil {
		return nil, "", err
	}
	name, taken, ok := s.addContext(c, func() bool { return s.goesOn(closings) })
	if !ok { // it comes too late to be closed with the others
		go func() { _ = c.Close() }()
		return nil, "", provider.Errorf(provider.KindNoTarget, "the session's contexts were closed meanwhile")
	}
	if taken {
		return nil, "", provider.Errorf(provider.KindFailed, "a browser with --user-data-dir has one context, %s", name)
	}
	opened := &Opened{BrowserContext: c, Engine: e, Options: asked.Options, HAR: asked.HAR, Own: true}
	if err := s.watchContext(ctx, opened); err != nil {
		go func() { _ = c.Close() }()
		return nil, "", err
	}
	return c, name, nil
}

// watchContext keeps the handle table true as pages open and close, and has the
// features see the context.
func (s *Session) watchContext(ctx context.Context, o *Opened) error {
	e, c := o.Engine, o.BrowserContext
	c.OnPage(func(pw playwright.Page) {
		if s.Ended() { // of lent tabs, which are another's by now
			return
		}
		if p := s.addPage(e, c, pw); s.Browser.Config.Source.Lends() {
			s.activate(p, false) // the person may have lent it
		}
	})
	c.OnClose(s.dropClosed)
	err := AwaitDo(ctx, e, nil, func() (err error) {
		for _, h := range s.Browser.hooks {
			if h.Context != nil && err == nil {
				err = h.Context(s, o)
			}
		}
		return err
	})
	c.OnDialog(s.answerDialog) // last: features see a dialog before it is answered
	for _, pw := range c.Pages() {
		s.addPage(e, c, pw)
	}
	return err
}

// HandleOf is the handle of a page, also of one that has been dropped or whose
// first event came before the news of it. "" is no page.
func (s *Session) HandleOf(e *Engine, c playwright.BrowserContext, pw playwright.Page) string {
	// playwright-go may wrap a nil pointer.
	if pw == nil || reflect.ValueOf(pw).IsNil() {
		return ""
	}
	if name := s.pageName(pw); name != "" || pw.IsClosed() {
		return name
	}
	return s.addPage(e, c, pw).Name
}

// Close ends the session: its contexts, as far as ctx allows, and its scripts.
func (s *Session) Close(ctx context.Context) {
	s.over.Store(true)
	e := s.Current()
	s.closing.Call(Ending{Context: ctx, Last: true})
	s.CloseContexts(ctx, "the session was closed")
	if e != nil { // another session may have the tabs
		e.lent.lending.Lock()
		if e.lent.to == s {
			e.lent.to = nil
		}
		e.lent.lending.Unlock()
	}
	s.ending.Call(struct{}{})
}

// Reset closes the session's contexts and has the features forget what they
// keep between calls. The session goes on.
func (s *Session) Reset(ctx context.Context) {
	s.closing.Call(Ending{Context: ctx})
	s.CloseContexts(ctx, "the session was reset")
}

// CloseContexts closes the session's contexts, those too that are only being
// opened. Those of somebody else's browser stay, and keep their handles.
func (s *Session) CloseContexts(ctx context.Context, fate string) {
	e, names := s.ownContexts(func() { s.closings.Add(1) })
	if e == nil {
		return
	}
	s.letAllGo(nil)
	for c := range names { // without waiting for their events
		s.dropContext(c, fate, fate)
	}
	var wait sync.WaitGroup
	for c, name := range names {
		wait.Go(func() {
			for _, h := range s.Browser.hooks {
				if h.Closing != nil {
					h.Closing(ctx, s, e, c, name)
				}
			}
			_ = AwaitDo(ctx, e, nil, func() error { s.EndContext(c); return nil })
		})
	}
	wait.Wait()
}

// closeContext closes a context; lost says what could not be kept of it.
func (s *Session) closeContext(c playwright.BrowserContext) (lost, err error) {
	err = c.Close()
	for _, h := range s.Browser.hooks {
		if h.Closed != nil {
			lost = errors.Join(lost, h.Closed(s, c))
		}
	}
	return lost, err
}

// EndContext is closeContext where nobody is left to be answered.
func (s *Session) EndContext(c playwright.BrowserContext) {
	if lost, _ := s.closeContext(c); lost != nil {
		s.Browser.Log.Error("a recording is lost", "error", lost.Error())
	}
}

// CloseTime bounds how long the contexts of a session may take to close.
const CloseTime = 10 * time.Second

// life is whether a session goes on, who is called at its end, and which loss of a
// browser it has reported.
type life struct {
	over     atomic.Bool  // the session was closed: nothing is opened any more
	closings atomic.Int64 // how often all contexts were closed

	mu         sync.Mutex
	reported   *Engine // whose loss a call has reported
	unreported *Engine // whose loss the next call has to report

	closing Callbacks[Ending]
	ending  Callbacks[struct{}]
}

// OnClose registers fn, which is called before the session's contexts are closed, and
// when the session is reset.
func (l *life) OnClose(fn func(Ending)) { l.closing.Add(fn) }

// OnClosed registers fn, which is called when the session is over and its contexts are
// closed.
func (l *life) OnClosed(fn func()) { l.ending.Add(func(struct{}) { fn() }) }

// Ended reports whether the session is closed, or being closed.
func (l *life) Ended() bool { return l.over.Load() }

// goesOn reports whether the session goes on, and its contexts were closed as often as then.
func (l *life) goesOn(closings int64) bool { return !l.over.Load() && l.closings.Load() == closings }

// report notes that a call says what became of an engine.
func (l *life) report(e *Engine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reported = e
	if l.unreported == e {
		l.unreported = nil
	}
}

// lose notes that the session has lost what it had in an engine. The next call reports
// it, unless one has.
func (l *life) lose(e *Engine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reported != e {
		l.unreported = e
	}
}

// takeUnreported is the error of a browser that was lost between two calls, once.
func (l *life) takeUnreported() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.unreported
	if l.unreported = nil; e == nil {
		return nil
	}
	l.reported = e
	return provider.Errorf(provider.KindUnavailable,
		"%s since the last request, and the session's pages with it", e.Reason).
		WithHint("the next request gets a fresh page")
}
