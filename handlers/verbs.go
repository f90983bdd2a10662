package handlers

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// What tools do with a session's contexts and pages by their handles.

// use makes a page the one that requests without one work on.
func (s *Session) use(ctx context.Context, handle string) error {
	if _, err := s.named(ctx, handle); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = handle
	return nil
}

// contextNamed is the open context of a handle, which counts as used.
func (s *Session) contextNamed(handle string) (playwright.BrowserContext, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.contexts.live[handle]
	if c == nil {
		return nil, provider.Errorf(provider.KindNoTarget, "%s", s.contexts.missing("context", handle))
	}
	s.contexts.use(handle)
	return c, nil
}

// openContexts are the open contexts in the order of their handles.
func (s *Session) openContexts() []playwright.BrowserContext {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.contexts.all()
}

// has reports whether a page or a context is, or was, the session's.
func (s *Session) has(v any) bool {
	c, _ := v.(playwright.BrowserContext)
	if pw, ok := v.(playwright.Page); ok {
		c = pw.Context()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, open := s.contexts.names[c]
	return open || s.gone[c]
}

// borrows reports whether the session is lent tabs that were open before.
func (s *Session) borrows() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.theirs) > 0
}

// handlesOf are the handles of a page and of its context, "" for one that is
// gone, and whether requests that name no page work on it.
func (s *Session) handlesOf(p *page) (name, context string, active bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = s.pages.names[p]
	return name, s.contexts.names[p.context], name == s.active
}

// closePage is page.close.
func (s *Session) closePage(ctx context.Context, handle string) error {
	p, err := s.named(ctx, handle)
	if err != nil {
		return err
	}
	s.mu.Lock()
	p.asked = true
	s.mu.Unlock()
	err = awaitDo(ctx, p.engine, nil, func() error {
		p.letGo()
		return p.pw.Close()
	})
	if err == nil {
		s.dropPage(p, "it was closed")
	}
	return err
}

// closeNamed is context.close, with all its pages.
func (s *Session) closeNamed(ctx context.Context, handle string) error {
	c, err := s.contextNamed(handle)
	if err != nil {
		return err
	}
	lost, err := await(ctx, s.current(), nil, func() (lost error, err error) {
		s.letGo(c)
		return s.closeContext(c)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages.all() {
		if p.context == c {
			s.removePage(p, "its context was closed")
		}
	}
	s.removeContext(c, "it was closed")
	return lost
}

// mayOpen refuses a context or a page that would be one too many, before
// anything is started for it.
func (s *Session) mayOpen() error {
	if s.room.full() {
		return s.room.overLimit("")
	}
	return s.browser.places.mayTake(s.browser.cfg.MaxContexts)
}

// answered tells the features that a call in the session has ended.
func (s *Session) answered(err *provider.Error) { s.browser.hooks.answered(s, err) }

// beside makes a session in a browser beside this one's, whose pages count as
// this one's. nil: pwpipe is shutting down.
func (s *Session) beside(cfg Config) *Session {
	b := s.browser.Beside(cfg)
	if b == nil {
		return nil
	}
	own := b.NewSession(SessionOptions{Shared: s.options.Shared})
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
	n := Counts{Pages: len(s.pages.live), Contexts: len(s.contexts.live), Closed: len(s.closed), Known: len(s.byPW)}
	if s.engine != nil {
		n.InBrowser = len(s.engine.browser.Contexts())
	}
	return n
}
