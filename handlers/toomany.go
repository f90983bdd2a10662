package handlers

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// A session has so many pages at once, pop-ups among them: each may cost a
// process. The one too many is refused where it is asked for, and closed at
// once where a page opened it.

// closedTooMany is the fate of a page that was one too many.
const closedTooMany = "it was one too many and was closed at once"

// refuses reports whether a page that has just come is one too many, and has it
// closed. Chromium's are counted by [targets], but for those of a person's
// contexts, whose tabs are that person's to open. The lock is held.
func (s *Session) refuses(p *page) bool {
	theirs := s.theirs[p.context]
	if p.engine.targets != nil && !theirs || s.room.enter(p) || theirs {
		return false
	}
	p.tooMany.Store(true)
	s.removePage(p, closedTooMany)
	opener, _ := p.pw.Opener()
	go func() {
		if opener != nil {
			s.turnedAway(s.find(opener))
			s.turned.Add(-1) // it has its fate already
		}
		_ = p.pw.Close()
	}()
	return true
}

// turnedAway notes that a page which this one opened (nil: it is not known
// which) was one too many. It is called from event callbacks.
func (s *Session) turnedAway(opener *page) {
	s.turned.Add(1)
	if opener != nil {
		opener.turned.Add(1)
	}
	s.browser.hooks.surplus(s, opener)
}

// fate is what became of a page that was closed. One that went before it could
// be told which one it was is taken for one of those that were one too many.
func (p *page) fate() string {
	s := p.session
	if p.tooMany.Load() || !p.known.Load() && s.turned.Load() > 0 {
		s.turned.Add(-1)
		return closedTooMany
	}
	return "it was closed"
}

// full is the error of a page for which there is no room, nil if there is.
func (s *Session) full(e *engine) error {
	if !s.room.full() {
		return nil
	}
	t := e.targets
	if t == nil {
		return s.room.overLimit("")
	}
	return t.fullFor(s.room)
}

// opened is the page that was asked for, once it is counted.
func (s *Session) opened(ctx context.Context, e *engine, c playwright.BrowserContext, pw playwright.Page) (*page, error) {
	s.mu.Lock()
	if name := s.past[pw]; name != "" && s.byPW[pw] == nil {
		defer s.mu.Unlock()
		return nil, s.missingPage(name)
	}
	s.mu.Unlock()
	p := s.addPage(e, c, pw) // the event came first; this finds it
	s.mu.Lock()
	first := s.counted[c] == "" && !s.theirs[c]
	s.mu.Unlock()
	if e.targets != nil && (first || s.room.full()) {
		_ = awaitDo(ctx, e, p, func() error { return p.attached() })
	}
	if p.tooMany.Load() {
		return nil, s.room.overLimit("")
	}
	return p, ctx.Err()
}

// turnedSoFar is how many pages that this one opened were one too many.
func (p *page) turnedSoFar() int64 { return p.turned.Load() }

// openedTooMany is the error of a call during which a page that it opened was
// closed at once; before is what turnedSoFar said when it began.
func (p *page) openedTooMany(before int64) error {
	if p.turned.Load() == before {
		return nil
	}
	e := p.session.room.overLimit("it opened a page that was closed at once, since ")
	e.Page = p.name
	return e
}

// missingPage is the error of a handle that no open page has. The lock is held.
func (s *Session) missingPage(handle string) error {
	text := s.pages.missing("page", handle)
	if s.pages.fate[handle] == closedTooMany {
		return s.room.overLimit(text + "; ")
	}
	return provider.Errorf(provider.KindNoTarget, "%s", text)
}
