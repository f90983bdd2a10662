package browser

import (
	"cmp"
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// A session has so many pages at once, pop-ups among them: each may cost a
// process. The one too many is refused where it is asked for, and closed at
// once where a page opened it.

// ClosedTooMany is the fate of a page that was one too many.
const ClosedTooMany = "it was one too many and was closed at once"

// refuses reports whether a page that has just come is one too many, and has it
// closed. Chromium's are counted by [targets], but for those of a person's
// contexts, in which that person may open any tabs. The lock is held.
func (s *Session) refuses(p *Page) bool {
	persons := s.found[p.Context]
	wide := !persons && s.othersDraw(p)+s.shapeOf(p).pixels() > cdp.MaxDrawn
	if !wide && (p.Engine.targets != nil && !persons || s.room.Enter(p) || persons) {
		return false
	}
	s.wide.Store(wide)
	p.tooMany.Store(true)
	s.removePage(p, ClosedTooMany)
	opener, _ := p.PW.Opener()
	go func() {
		if opener != nil {
			s.turnedAway(s.Find(opener))
			s.surplus.Add(-1) // it has its fate already
		}
		_ = p.PW.Close()
	}()
	return true
}

// turnedAway notes that a page which this one opened (nil: it is not known
// which) was one too many. It is called from event callbacks.
func (s *Session) turnedAway(opener *Page) {
	s.surplus.Add(1)
	if opener != nil {
		opener.Turned.Add(1)
	}
	for _, h := range s.Browser.hooks {
		if h.Surplus != nil {
			h.Surplus(s, opener)
		}
	}
}

// WasClosed reports whether the page is gone because it closed itself, or somebody closed it: it has not
// crashed, and its browser is there.
func (p *Page) WasClosed() bool {
	return p.Engine.Alive() && p.PW.IsClosed() && !p.tooMany.Load() && p.Engine.Fate(p.Target()) == ""
}

// fate is what became of a page that was closed. A page may go before its target is
// known; while the session has closed pages that were one too many, it counts as one of them.
func (p *Page) fate() string {
	s := p.Session
	if p.tooMany.Load() || p.Target() == "" && s.surplus.Load() > 0 {
		s.surplus.Add(-1)
		return ClosedTooMany
	}
	return cmp.Or(p.Engine.Fate(p.Target()), "it was closed")
}

// full is the error of a page for which there is no room, nil if there is.
func (l *limits) full(e *Engine) error {
	switch {
	case !l.room.Full():
		return nil
	case e.targets == nil:
		return l.room.OverLimit("")
	}
	return e.targets.FullFor(l.room)
}

// opened is the page that was asked for, once it is counted.
func (s *Session) opened(ctx context.Context, e *Engine, c playwright.BrowserContext, pw playwright.Page) (*Page, error) {
	if err := s.dropped(pw); err != nil {
		return nil, err
	}
	p := s.addPage(e, c, pw) // the event came first; this finds it
	first := s.knownOf(c).id == "" && !s.IsTheirs(c)
	if e.targets != nil && (first || s.room.Full()) {
		_ = AwaitDo(ctx, e, p, func() error { return p.Attached() })
	}
	if p.tooMany.Load() {
		return nil, s.room.OverLimit("")
	}
	return p, ctx.Err()
}

// What a client of DevTools that works in a session needs to know of it
// (package endpoint).

// ContextID is Chromium's id of the page's context, "" where it is not known.
func (p *Page) ContextID() string {
	s := p.Session
	if !s.IsTheirs(p.Context) {
		return s.knownOf(p.Context).id
	}
	if is := p.is.Load(); is != nil {
		return is.context
	}
	return ""
}

// Offered is a line of ours to the browser of a page that a client of DevTools may
// be given. home is as [launch.Run.Line] has it; errors begin with what can't be.
func (p *Page) Offered(ctx context.Context, not string) (devtools *cdp.Session, home string, err error) {
	e := p.Engine
	if !e.HasLine() || p.Attached() != nil || p.Target() == "" || p.ContextID() == "" {
		return nil, "", provider.Errorf(provider.KindFailed, "%s: pwpipe has no DevTools connection of its own to this browser", not).
			WithHint("it has one to a Chromium that it starts, and with --cdp; it has none with --ws, and none to Firefox or WebKit")
	}
	if devtools, home, err = e.Line(); err != nil {
		return nil, "", provider.Errorf(provider.KindUnavailable, "%s: %w", not, err)
	}
	if p.Session.IsTheirs(p.PW.Context()) && p.ContextID() != home {
		return nil, "", provider.Errorf(provider.KindFailed, "%s: the tab is in an incognito window or belongs to another program", not).
			WithHint("the other tools work on it")
	}
	return devtools, home, nil
}

// MayOpenPage is the error of one page too many in a context, by Chromium's id; nil if
// there is room.
func (s *Session) MayOpenPage(e *Engine, context string) error {
	return cmp.Or(s.full(e), s.RoomToDraw(nil, s.pixelsIn(context)))
}

// TakePlace takes a place for a context that a client makes.
func (s *Session) TakePlace(e *Engine) error {
	return s.Browser.places.Take(e, e.Gone, s.Browser.Config.MaxContexts)
}

// LeavePlace gives it back; the context, "" for none, is gone.
func (s *Session) LeavePlace(e *Engine, context string) {
	s.Browser.places.Leave(e)
	e.targets.Forget(context)
}

// CountPages has the pages of a client's context count with the session's.
func (l *limits) CountPages(e *Engine, context string) { e.targets.Count(context, l.owner) }
