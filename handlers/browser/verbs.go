package browser

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// What tools do with a session's contexts and pages by their handles.

// Use makes a page the one that requests without one work on.
func (s *Session) Use(ctx context.Context, handle string) error {
	if _, err := s.named(ctx, handle); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = handle
	return nil
}

// ContextNamed is the open context of a handle, which counts as used.
func (s *Session) ContextNamed(handle string) (playwright.BrowserContext, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.contexts.Live[handle]
	if c == nil {
		return nil, provider.Errorf(provider.KindNoTarget, "%s", s.contexts.Missing("context", handle))
	}
	s.contexts.Use(handle)
	return c, nil
}

// OpenContexts are the open contexts in the order of their handles.
func (s *Session) OpenContexts() []playwright.BrowserContext {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.contexts.All()
}

// Borrows reports whether the session is lent tabs that were open before.
func (s *Session) Borrows() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.theirs) > 0
}

// HandlesOf are the handles of a page and of its context, "" for one that is
// gone, and whether requests that name no page work on it.
func (s *Session) HandlesOf(p *Page) (name, context string, active bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = s.pages.Names[p]
	return name, s.contexts.Names[p.Context], name == s.active
}

// ClosePage is page.close.
func (s *Session) ClosePage(ctx context.Context, handle string) error {
	p, err := s.named(ctx, handle)
	if err != nil {
		return err
	}
	s.mu.Lock()
	p.asked = true
	s.mu.Unlock()
	err = AwaitDo(ctx, p.Engine, nil, func() error {
		p.LetGo()
		return p.PW.Close()
	})
	if err == nil {
		s.DropPage(p, "it was closed")
	}
	return err
}

// CloseNamed is context.close, with all its pages.
func (s *Session) CloseNamed(ctx context.Context, handle string) error {
	c, err := s.ContextNamed(handle)
	if err != nil {
		return err
	}
	lost, err := Await(ctx, s.Current(), nil, func() (lost error, err error) {
		s.letAllGo(c)
		return s.closeContext(c)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages.All() {
		if p.Context == c {
			s.removePage(p, "its context was closed")
		}
	}
	s.removeContext(c, "it was closed")
	return lost
}

// MayOpen refuses a context or a page that would be one too many, before
// anything is started for it.
func (s *Session) MayOpen() error {
	if s.room.Full() {
		return s.room.OverLimit("")
	}
	return s.Browser.places.MayTake(s.Browser.Config.MaxContexts)
}

// Hold keeps the session from being closed for being idle.
func (s *Session) Hold() (release func()) {
	if s.Options.Keep == nil {
		return func() {}
	}
	return s.Options.Keep()
}

// Answered tells the features that a call in the session has ended.
func (s *Session) Answered(err *provider.Error) { s.Browser.hooks.answered(s, err) }

// Beside makes a session in a browser beside this one's, whose pages count as
// this one's. nil: pwpipe is shutting down.
func (s *Session) Beside(cfg Config) *Session {
	b := s.Browser.Beside(cfg)
	if b == nil {
		return nil
	}
	own := b.NewSession(SessionOptions{Shared: s.Options.Shared})
	own.room = s.room
	own.ownPages()
	return own
}

// Counts is what a session holds.
type Counts struct {
	Pages, Contexts, Closed int // that are open; that nobody asked to close, and that may have been the browser's end
	Known                   int // pages by Playwright's own
	InBrowser               int // contexts of all sessions
}

// Counts counts what the session holds, for tests of what is left.
func (s *Session) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := Counts{Pages: len(s.pages.Live), Contexts: len(s.contexts.Live), Closed: len(s.closed), Known: len(s.byPW)}
	if s.engine != nil {
		n.InBrowser = len(s.engine.Browser.Contexts())
	}
	return n
}
