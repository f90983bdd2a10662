package browser

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/callbacks"
	"pwpipe/handlers/handles"
	"pwpipe/handlers/quota"

	"pwpipe/handlers/targetlist"
	"pwpipe/internal/browser/contextoptions"
	"pwpipe/provider"
)

// Session is one client's contexts and pages behind handles. Handles outlive
// the browser: after a crash the old ones still say what became of them.
//
// Its lock is taken inside Playwright's event callbacks, so it is never held
// across a call into Playwright: that would deadlock the connection.
type Session struct {
	Browser *Browser
	Options SessionOptions
	Begun   time.Time
	keep    keep

	mu       sync.Mutex
	engine   *Engine // the one that the live handles belong to
	contexts *handles.Table[playwright.BrowserContext]
	pages    *handles.Table[*Page]
	byPW     map[playwright.Page]*Page
	active   string
	over     bool                               // it was closed: nothing is opened any more
	closings int                                // how often all contexts were closed
	closed   map[string]time.Time               // pages and contexts that nobody asked to close, and when
	theirs   map[playwright.BrowserContext]bool // of a browser that pwpipe attached to
	opening  sync.Mutex                         // one default page is opened at a time
	changed  chan struct{}                      // closed and replaced when a page appears
	past     map[playwright.Page]string
	counted  map[playwright.BrowserContext]string // Chromium's ids of those whose pages it counts
	room     *quota.Pages                         // for its pages
	owner    *targetlist.Owner                    // of them, for the browser's list
	told     *Engine                              // whose loss a call has reported
	owed     *Engine                              // whose loss the next call has to report
	shapes   map[playwright.BrowserContext]shape  // what their pages are drawn as
	turned   atomic.Int64                         // pages that were one too many, and have not closed yet
	wide     atomic.Bool                          // the last of those had too many pixels

	closing callbacks.List[Ending]
	ending  callbacks.List[struct{}]
}

// SessionOptions say what a session is like.
type SessionOptions struct {
	ID     string // in a pool, "" for the only one of a stream
	Name   string // for people; its client gave it, so it may be any text
	Owner  string // who opened it, in words for people
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
	s := &Session{Browser: b, Options: o, Begun: time.Now(), contexts: handles.New[playwright.BrowserContext]("c"),
		pages: handles.New[*Page]("p"), byPW: map[playwright.Page]*Page{}, closed: map[string]time.Time{},
		changed: make(chan struct{}), past: map[playwright.Page]string{},
		counted: map[playwright.BrowserContext]string{}, room: quota.NewPages(b.Config.MaxPages)}
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
	return s.pages.Known(handle)
}

// Running returns the engine, and tells the handles of an older one what
// became of it.
func (s *Session) Running(ctx context.Context) (*Engine, error) {
	e, err := s.Browser.ensure(ctx)
	if err != nil {
		return nil, err
	}
	s.moveTo(e)
	if err := s.payLost(); err != nil {
		return nil, err
	}
	return e, s.adopt(ctx, e)
}

// moveTo makes e the engine that the live handles belong to.
func (s *Session) moveTo(e *Engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.engine; old != nil && old != e {
		s.owes(old)
		for _, p := range s.pages.Live {
			s.removePage(p, old.Reason)
		}
		for _, c := range s.contexts.Live {
			s.removeContext(c, old.Reason)
		}
		for name, at := range s.closed {
			if old.LostAt.Sub(at) < dying {
				s.pages.Fate[name], s.contexts.Fate[name] = old.Reason, old.Reason
			}
		}
		clear(s.closed)
		clear(s.theirs)
	}
	s.engine = e
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
	s.opening.Lock()
	defer s.opening.Unlock()
	s.mu.Lock()
	if p := s.pages.Live[s.active]; p != nil {
		s.pages.Use(s.active)
		s.mu.Unlock()
		return p, nil
	}
	c := s.contexts.Live[s.contexts.Newest()]
	s.mu.Unlock()
	if c == nil {
		if c, _, err = s.NewContext(ctx, e); err != nil {
			return nil, err
		}
		if p := s.firstPage(c); p != nil {
			return s.opened(ctx, e, c, p.PW)
		}
	}
	p, err := s.NewPage(ctx, e, c)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = p.Name
	return p, nil
}

// firstPage makes the page that a context was opened with the active one: that
// of a persistent profile has one. nil if there is none.
func (s *Session) firstPage(c playwright.BrowserContext) *Page {
	for _, pw := range c.Pages() {
		s.mu.Lock()
		p := s.byPW[pw]
		if p != nil {
			s.active = p.Name
			s.pages.Use(p.Name)
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
func (s *Session) named(ctx context.Context, handle string) (*Page, error) {
	deadline := time.NewTimer(popupWait)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		p, changed := s.pages.Live[handle], s.changed
		if p != nil {
			s.pages.Use(handle)
			s.mu.Unlock()
			return p, nil
		}
		soon := s.pages.Last > 0 && s.pages.Number(handle) == s.pages.Last+1
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

// NewContext opens a context: browser.newContext. Of a persistent profile the
// first context is the profile's own.
func (s *Session) NewContext(ctx context.Context, e *Engine) (playwright.BrowserContext, string, error) {
	return s.NewContextWith(ctx, e, contextoptions.Request{})
}

// NewContextWith is NewContext with options over the session's.
func (s *Session) NewContextWith(ctx context.Context, e *Engine, asked contextoptions.Request) (playwright.BrowserContext, string, error) {
	s.mu.Lock()
	closings := s.closings
	s.mu.Unlock()
	c, err := s.open(ctx, e, asked)
	if err != nil {
		return nil, "", err
	}
	s.mu.Lock()
	if s.over || s.closings != closings { // it comes too late to be closed with the others
		s.mu.Unlock()
		go func() { _ = c.Close() }()
		return nil, "", errContextsClosed()
	}
	_, taken := s.contexts.Names[c]
	name := s.contexts.Add(c)
	s.mu.Unlock()
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
		if !s.Ended() { // of lent tabs, which are another's by now
			s.addPage(e, c, pw)
		}
	})
	c.OnClose(func(playwright.BrowserContext) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.noteClosed(s.removeContext(c, "it was closed"))
	})
	err := AwaitDo(ctx, e, nil, func() error { return s.Browser.hooks.context(s, o) })
	c.OnDialog(s.answerDialog) // last: features see a dialog before it is answered
	for _, pw := range c.Pages() {
		s.addPage(e, c, pw)
	}
	return err
}

// removeContext takes a context out of the table. The lock is held.
func (s *Session) removeContext(c playwright.BrowserContext, fate string) string {
	if id := s.counted[c]; id != "" && s.engine != nil {
		s.engine.targets.Forget(id)
	}
	delete(s.counted, c)
	delete(s.shapes, c)
	return s.contexts.Remove(c, fate)
}

// Current is the engine that the session's live handles belong to, nil before
// the first.
func (s *Session) Current() *Engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}
