package events

import (
	"context"
	"io"
	"slices"
	"sync"

	"pwpipe/handlers/browser"
)

// Subscription is a queue of events for one reader. A slow reader loses the oldest
// events, gets their number, and delays nobody.
type Subscription struct {
	from  *events
	kinds []string

	mu    sync.Mutex
	queue ring[Event]
	lost  int
	over  bool
	ready chan struct{} // holds a token while there is something to take
}

// Subscribe queues the session's events of some kinds (none: all), from now on. Close
// the subscription when done.
func Subscribe(s *browser.Session, kinds ...string) *Subscription {
	return Recorded.Of(s).subscribe(kinds...)
}

// Next waits for events. lost is the number of events that were dropped since the last
// call. Its error is ctx's, or io.EOF when the session or the subscription is closed
// and all events were returned.
func (s *Subscription) Next(ctx context.Context) (list []Event, lost int, err error) {
	for {
		s.mu.Lock()
		list, lost = s.queue.all(), s.lost
		s.queue.clear()
		s.lost = 0
		over := s.over
		s.mu.Unlock()
		switch {
		case len(list) > 0:
			return list, lost, nil
		case over:
			return nil, 0, io.EOF
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.from.mu.Lock()
	delete(s.from.subs, s)
	s.from.mu.Unlock()
	s.end()
}

func (s *Subscription) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.wake()
}

// offer queues an event; in a full queue it replaces the oldest.
func (s *Subscription) offer(e Event) {
	if len(s.kinds) > 0 && !slices.Contains(s.kinds, e.Kind) {
		return
	}
	s.mu.Lock()
	if _, dropped := s.queue.push(e); dropped {
		s.lost++
	}
	s.mu.Unlock()
	s.wake()
}

func (s *Subscription) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}
