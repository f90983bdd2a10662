package browser

import (
	"reflect"

	"github.com/playwright-community/playwright-go"
)

// HandleOf is the handle of a page, also of one that has been dropped or whose
// first event came before the news of it. "" is no page.
func (s *Session) HandleOf(e *Engine, c playwright.BrowserContext, pw playwright.Page) string {
	// playwright-go may wrap a nil pointer.
	if pw == nil || reflect.ValueOf(pw).IsNil() {
		return ""
	}
	s.table.mu.Lock()
	p, past := s.byPW[pw], s.past[pw]
	s.table.mu.Unlock()
	switch {
	case p != nil:
		return p.Name
	case past != "" || pw.IsClosed():
		return past
	}
	return s.addPage(e, c, pw).Name
}
