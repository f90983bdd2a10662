package browser

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/script/cdpview"
)

// A session has so many pages at once, pop-ups among them: each may cost a
// process. The one too many is refused where it is asked for, and closed at
// once where a page opened it.

// ClosedTooMany is the fate of a page that was one too many.
const ClosedTooMany = "it was one too many and was closed at once"

// refuses reports whether a page that has just come is one too many, and has it
// closed. Chromium's are counted by [targets], but for those of a person's
// contexts, whose tabs are that person's to open. The lock is held.
func (s *Session) refuses(p *Page) bool {
	theirs := s.found[p.Context]
	wide := !theirs && s.othersDraw(p)+s.shapeOf(p).pixels() > cdpview.MostDrawn
	if !wide && (p.Engine.targets != nil && !theirs || s.room.Enter(p) || theirs) {
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
		opener.turned.Add(1)
	}
	s.Browser.hooks.surplus(s, opener)
}

// fate is what became of a page that was closed. One that went before it could
// be told which one it was is taken for one of those that were one too many.
func (p *Page) fate() string {
	s := p.Session
	if p.tooMany.Load() || !p.known.Load() && s.surplus.Load() > 0 {
		s.surplus.Add(-1)
		return ClosedTooMany
	}
	return "it was closed"
}

// full is the error of a page for which there is no room, nil if there is.
func (s *Session) full(e *Engine) error {
	if !s.room.Full() {
		return nil
	}
	t := e.targets
	if t == nil {
		return s.room.OverLimit("")
	}
	return t.FullFor(s.room)
}

// opened is the page that was asked for, once it is counted.
func (s *Session) opened(ctx context.Context, e *Engine, c playwright.BrowserContext, pw playwright.Page) (*Page, error) {
	if err := s.dropped(pw); err != nil {
		return nil, err
	}
	p := s.addPage(e, c, pw) // the event came first; this finds it
	first := s.countedAs(c) == "" && !s.IsTheirs(c)
	if e.targets != nil && (first || s.room.Full()) {
		_ = AwaitDo(ctx, e, p, func() error { return p.Attached() })
	}
	if p.tooMany.Load() {
		return nil, s.room.OverLimit("")
	}
	return p, ctx.Err()
}

// TurnedSoFar is how many pages that this one opened were one too many.
func (p *Page) TurnedSoFar() int64 { return p.turned.Load() }

// OpenedTooMany is the error of a call during which a page that it opened was
// closed at once; before is what TurnedSoFar said when it began.
func (p *Page) OpenedTooMany(before int64) error {
	if p.turned.Load() == before {
		return nil
	}
	e := p.Session.room.OverLimit("it opened a page that was closed at once, since ")
	if p.Session.wide.Load() {
		e = errDrawn("it opened a page that was closed at once, since ")
	}
	e.Page = p.Name
	return e
}
