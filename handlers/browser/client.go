package browser

import "maps"

// What a client of DevTools that works in a session needs to know of it
// (package endpoint).

// ContextID is Chromium's id of the page's context, "" where it is not known.
func (p *Page) ContextID() string {
	s := p.Session
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted[p.Context]
}

// OwnsContext says whether a context, by Chromium's id, is the session's.
func (s *Session) OwnsContext(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for own := range maps.Values(s.counted) {
		if own == id {
			return true
		}
	}
	return false
}

// HasTarget says whether a target of Chromium's is one of the session's pages.
func (s *Session) HasTarget(id string) bool {
	for _, p := range s.OpenPages() {
		if p.Target() == id {
			return true
		}
	}
	return false
}

// MayOpenPage is the error of one page too many, nil if there is room.
func (s *Session) MayOpenPage(e *Engine) error { return s.full(e) }

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
