package browser

import (
	"reflect"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/handles"
)

// HandleOf is the handle of a page, also of one that has been dropped or whose
// first event came before the news of it. "" is no page.
func (s *Session) HandleOf(e *Engine, c playwright.BrowserContext, pw playwright.Page) string {
	// playwright-go may wrap a nil pointer.
	if pw == nil || reflect.ValueOf(pw).IsNil() {
		return ""
	}
	s.mu.Lock()
	p, past := s.byPW[pw], s.past[pw]
	s.mu.Unlock()
	switch {
	case p != nil:
		return p.Name
	case past != "" || pw.IsClosed():
		return past
	}
	return s.addPage(e, c, pw).Name
}

// remember keeps the handle of a page that is dropped, for events that are
// still on their way. The lock is held.
func (s *Session) remember(p *Page) {
	if len(s.past) >= handles.MaxFates {
		clear(s.past)
	}
	s.past[p.PW] = p.Name
}

// Find returns the page behind one of Playwright's, nil if it is not known.
func (s *Session) Find(pw playwright.Page) *Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byPW[pw]
}

// OpenPages are the open pages in the order of their handles.
func (s *Session) OpenPages() []*Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages.All()
}
