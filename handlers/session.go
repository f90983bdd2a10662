package handlers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/guardproxy"
	"pwpipe/provider"
)

// Session is one client's contexts and pages behind handles. Handles outlive
// the browser: after a crash the old ones still say what became of them.
//
// Its lock is taken inside Playwright's event callbacks, so it is never held
// across a call into Playwright: that would deadlock the connection.
type Session struct {
	browser *Browser
	options SessionOptions
	keep    keep

	mu       sync.Mutex
	engine   *engine // the one that the live handles belong to
	contexts *handles[playwright.BrowserContext]
	pages    *handles[*page]
	byPW     map[playwright.Page]*page
	active   string
	over     bool                               // it was closed: nothing is opened any more
	closings int                                // how often all contexts were closed
	closed   map[string]time.Time               // pages and contexts that nobody asked to close, and when
	theirs   map[playwright.BrowserContext]bool // of a browser that pwpipe attached to
	opening  sync.Mutex                         // one default page is opened at a time
	changed  chan struct{}                      // closed and replaced when a page appears
	past     map[playwright.Page]string
	gone     map[playwright.BrowserContext]bool   // contexts that were the session's
	counted  map[playwright.BrowserContext]string // Chromium's ids of those whose pages it counts
	room     *room                                // for its pages
	owner    *pageOwner                           // of them, for the browser's list
	turned   atomic.Int64                         // pages that were one too many, and have not closed yet
	filter   *guardproxy.Proxy                    // before the session's own proxy, nil for none

	closing callbacks[Ending]
	ending  callbacks[struct{}]
}

// SessionOptions say what a session is like.
type SessionOptions struct {
	ID     string // in a pool, "" for the only one of a stream
	Tabs   Tabs   // whether the open tabs of an attached browser are this session's to have
	Shared bool   // others use the same browser: what belongs to all of it is out of reach
	// Keep keeps a pool from closing the session until release; nil outside of
	// one.
	Keep func() (release func())
	// Context is what the session's contexts are opened with; nil for nothing.
	Context func() (playwright.BrowserNewContextOptions, error)
}

// NewSession makes a session without pages.
func (b *Browser) NewSession(o SessionOptions) *Session {
	s := &Session{browser: b, options: o, contexts: newHandles[playwright.BrowserContext]("c"),
		pages: newHandles[*page]("p"), byPW: map[playwright.Page]*page{}, closed: map[string]time.Time{},
		changed: make(chan struct{}), past: map[playwright.Page]string{}, gone: map[playwright.BrowserContext]bool{},
		counted: map[playwright.BrowserContext]string{}, room: newRoom(b.cfg.MaxPages)}
	s.ownPages()
	return s
}

// Active is the handle of the active page, "" before the first:
// provider.Pages.
func (s *Session) Active() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// Known reports whether a handle was ever given to a page: provider.Pages.
func (s *Session) Known(handle string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages.known(handle)
}

// running returns the engine, and tells the handles of an older one what
// became of it.
func (s *Session) running(ctx context.Context) (*engine, error) {
	e, err := s.browser.ensure(ctx)
	if err != nil {
		return nil, err
	}
	s.moveTo(e)
	return e, s.adopt(ctx, e)
}

// moveTo makes e the engine that the live handles belong to.
func (s *Session) moveTo(e *engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.engine; old != nil && old != e {
		for _, p := range s.pages.live {
			s.removePage(p, old.reason)
		}
		for _, c := range s.contexts.live {
			s.removeContext(c, old.reason)
		}
		for name, at := range s.closed {
			if old.lostAt.Sub(at) < dying {
				s.pages.fate[name], s.contexts.fate[name] = old.reason, old.reason
			}
		}
		clear(s.closed)
		clear(s.theirs)
	}
	s.engine = e
}

// page finds a page by its handle, or the active one, which is opened if there
// is none.
func (s *Session) page(ctx context.Context, handle string) (*page, error) {
	e, err := s.running(ctx)
	if err != nil {
		return nil, err
	}
	if handle != "" {
		return s.named(ctx, handle)
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	s.mu.Lock()
	if p := s.pages.live[s.active]; p != nil {
		s.pages.use(s.active)
		s.mu.Unlock()
		return p, nil
	}
	c := s.contexts.live[s.contexts.newest()]
	s.mu.Unlock()
	if c == nil {
		if c, _, err = s.newContext(ctx, e); err != nil {
			return nil, err
		}
		if p := s.firstPage(c); p != nil {
			return s.opened(ctx, e, c, p.pw)
		}
	}
	p, err := s.newPage(ctx, e, c)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = p.name
	return p, nil
}

// firstPage makes the page that a context was opened with the active one: that
// of a persistent profile has one. nil if there is none.
func (s *Session) firstPage(c playwright.BrowserContext) *page {
	for _, pw := range c.Pages() {
		s.mu.Lock()
		p := s.byPW[pw]
		if p != nil {
			s.active = p.name
			s.pages.use(p.name)
		}
		s.mu.Unlock()
		if p != nil {
			return p
		}
	}
	return nil
}

// popupWait is how long a request for the very next handle waits for a pop-up
// that is on its way.
const popupWait = 2 * time.Second

// named finds an open page. The next handle to be given may belong to a pop-up
// that the last click opened, so it is waited for.
func (s *Session) named(ctx context.Context, handle string) (*page, error) {
	deadline := time.NewTimer(popupWait)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		p, changed := s.pages.live[handle], s.changed
		if p != nil {
			s.pages.use(handle)
			s.mu.Unlock()
			return p, nil
		}
		soon := s.pages.last > 0 && s.pages.number(handle) == s.pages.last+1
		err := s.missingPage(handle)
		s.mu.Unlock()
		if !soon {
			return nil, err
		}
		select {
		case <-changed:
		case <-deadline.C:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// newContext opens a context: browser.newContext. Of a persistent profile the
// first context is the profile's own.
func (s *Session) newContext(ctx context.Context, e *engine) (playwright.BrowserContext, string, error) {
	return s.newContextWith(ctx, e, playwright.BrowserNewContextOptions{})
}

// newContextWith is newContext with options over those of the session.
func (s *Session) newContextWith(ctx context.Context, e *engine, o playwright.BrowserNewContextOptions) (playwright.BrowserContext, string, error) {
	s.mu.Lock()
	closings := s.closings
	s.mu.Unlock()
	c, err := s.open(ctx, e, o)
	if err != nil {
		return nil, "", err
	}
	s.mu.Lock()
	if s.over || s.closings != closings { // it comes too late to be closed with the others
		s.mu.Unlock()
		go func() { _ = c.Close() }()
		return nil, "", errContextsClosed()
	}
	_, taken := s.contexts.names[c]
	name := s.contexts.add(c)
	s.mu.Unlock()
	if taken {
		return nil, "", provider.Errorf(provider.KindFailed, "a browser with --user-data-dir has one context, %s", name)
	}
	opened := &Opened{BrowserContext: c, Engine: e, Options: o, Own: true}
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
		if !s.ended() { // of lent tabs, which are another's by now
			s.addPage(e, c, pw)
		}
	})
	c.OnClose(func(playwright.BrowserContext) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.noteClosed(s.removeContext(c, "it was closed"))
	})
	err := awaitDo(ctx, e, nil, func() error { return s.browser.hooks.context(s, o) })
	c.OnDialog(s.answerDialog) // last: a feature is told of a dialog before it is answered
	for _, pw := range c.Pages() {
		s.addPage(e, c, pw)
	}
	return err
}

// removeContext takes a context out of the table. The lock is held.
func (s *Session) removeContext(c playwright.BrowserContext, fate string) string {
	if len(s.gone) >= maxFates {
		clear(s.gone)
	}
	s.gone[c] = true
	if id := s.counted[c]; id != "" && s.engine != nil {
		s.engine.targets.forget(id)
	}
	delete(s.counted, c)
	return s.contexts.remove(c, fate)
}

// hold keeps the session from being closed for being idle.
func (s *Session) hold() (release func()) {
	if s.options.Keep == nil {
		return func() {}
	}
	return s.options.Keep()
}

// current is the engine that the session's live handles belong to, nil before
// the first.
func (s *Session) current() *engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}
