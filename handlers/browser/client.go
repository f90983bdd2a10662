package browser

import (
	"cmp"
	"context"

	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// What a client of DevTools that works in a session needs to know of it
// (package endpoint).

// ContextID is Chromium's id of the page's context, "" where it is not known.
func (p *Page) ContextID() string {
	s := p.Session
	if !s.IsTheirs(p.Context) {
		return s.countedAs(p.Context)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.within
}

// Offered is a line of ours to the browser of a page that a client of DevTools may
// be given. home is as [launch.Run.Line] has it; errors begin with what can't be.
func (p *Page) Offered(ctx context.Context, not string) (devtools *cdp.Session, home string, err error) {
	e := p.Engine
	if !e.HasLine() || p.Attached() != nil || p.Target() == "" || p.ContextID() == "" {
		return nil, "", provider.Errorf(provider.KindFailed, "%s: pwpipe has no line of its own to this browser", not).
			WithHint("it has one to a Chromium that it starts itself, and to one attached to with --cdp; not with --ws, nor to Firefox or WebKit")
	}
	if devtools, home, err = e.Line(); err != nil {
		return nil, "", provider.Errorf(provider.KindUnavailable, "%s: %w", not, err)
	}
	if p.Session.IsTheirs(p.PW.Context()) && p.ContextID() != home {
		return nil, "", provider.Errorf(provider.KindFailed, "%s: the tab is in an incognito window, or in another program's", not).
			WithHint("the other tools work on it")
	}
	return devtools, home, nil
}

// MayOpenPage is the error of one page too many in a context, by Chromium's id; nil if
// there is room.
func (s *Session) MayOpenPage(e *Engine, context string) error {
	return cmp.Or(s.full(e), s.roomToDraw(nil, s.pixelsIn(context)))
}

// TakePlace takes a place for a context that a client makes.
func (s *Session) TakePlace(e *Engine) error {
	return s.Browser.places.Take(e, e.Gone, s.Browser.Config.MaxContexts)
}

// LeavePlace gives it back; the context, "" for none, is gone.
func (s *Session) LeavePlace(e *Engine, context string) {
	s.Browser.places.Leave(e)
	if context != "" {
		e.targets.Forget(context)
	}
}

// CountPages has the pages of a client's context count with the session's.
func (s *Session) CountPages(e *Engine, context string) { e.targets.Count(context, s.owner) }
