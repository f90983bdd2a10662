package browser

import (
	"context"

	"pwpipe/provider"
)

// One fault of a browser is one error to each session that had something in it: to the
// call that ran, or else to the first that comes. What a fresh page says is never
// taken for what the old one would have said.

// ToldLost is the error of a browser that was lost while a call ran.
func ToldLost(ctx context.Context, e *Engine) error {
	if s, ok := SessionFrom(ctx); ok {
		s.tell(e)
	}
	return e.LostError()
}

// Told looks whether the error of a call on a page is that its browser was lost.
func (p *Page) Told(err error) {
	if err != nil && provider.AsError(err).Kind == provider.KindUnavailable && !p.Engine.Alive() {
		p.Session.tell(p.Engine)
	}
}

// tell notes that a call says what became of an engine.
func (s *Session) tell(e *Engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = e
	if s.owed == e {
		s.owed = nil
	}
}

// owes notes that the session has lost what it had in an engine, unless a call has said
// so. The lock is held.
func (s *Session) owes(old *Engine) {
	recent := false
	for _, at := range s.closed {
		recent = recent || old.LostAt.Sub(at) < dying
	}
	if s.told != old && (recent || len(s.pages.Live)+len(s.contexts.Live) > 0) {
		s.owed = old
	}
}

// payLost is the error of a browser that was lost between two calls, once.
func (s *Session) payLost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.owed
	if s.owed = nil; old == nil {
		return nil
	}
	s.told = old
	return provider.Errorf(provider.KindUnavailable, "%s since the last request, and the session's pages with it", old.Reason).
		WithHint("the next request gets a fresh page")
}
