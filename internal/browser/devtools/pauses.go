package devtools

import (
	"context"
	"sync"
)

// pauses know whether the page is paused, and whether it is about to.
type pauses struct {
	mu       sync.Mutex
	current  *pause        // nil while the page runs
	changed  chan struct{} // closed and replaced when that changes
	armed    bool          // the page is to pause at the next statement
	stepping bool          // a step is under way
}

// pause is a page that is paused.
type pause struct {
	Reason         string
	HitBreakpoints []string
	CallFrames     []callFrame
	Data           remoteObject

	asked, stepped bool // by Pause, by Step
}

// set notes that the page paused, or runs with nil. It reports whether that is new.
func (s *pauses) set(p *pause) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p == nil && s.current == nil {
		return false
	}
	if p != nil {
		p.asked, p.stepped = s.armed, s.stepping
	}
	s.current, s.armed = p, false
	close(s.changed)
	s.changed = make(chan struct{})
	return true
}

// state is the pause, nil while the page runs, and a channel that is closed when that
// changes.
func (s *pauses) state() (*pause, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current, s.changed
}

// wait waits until the page is paused, or ctx ends.
func (s *pauses) wait(ctx context.Context) error {
	for {
		p, changed := s.state()
		if p != nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pausing is the pause, and whether the page is to pause at the next statement.
func (s *pauses) pausing() (*pause, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current, s.armed
}

// arm notes whether the page is to pause at the next statement. It reports whether it was.
func (s *pauses) arm(on bool) (was bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, s.armed = s.armed, on
	return was
}

func (s *pauses) step(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stepping = on
}
