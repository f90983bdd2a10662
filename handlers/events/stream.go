package events

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// streaming are the streams of a session's events, by subscriber.
var streaming = browser.State[*browser.Session, streams]{New: func(*browser.Session) *streams {
	return &streams{ending: map[any]func(){}}
}}

type streams struct {
	mu     sync.Mutex
	ending map[any]func() // ends one
}

// Stream sends events of some kinds (nil: all, empty: none) to the client of a call, in
// place of what it had sent before. It returns the kinds.
func Stream(ctx context.Context, s *browser.Session, kinds []string) ([]string, error) {
	to := provider.EmitterFrom(ctx)
	if to == nil {
		return nil, provider.Errorf(provider.KindFailed, "events need a connection that stays open").
			WithHint("subscribe over GET /ws or over stdin; or ask with logs.pull and network.pull")
	}
	if kinds == nil {
		kinds = EventKinds()
	}
	for _, k := range kinds {
		if !slices.Contains(EventKinds(), k) {
			return nil, provider.Errorf(provider.KindArgs, "kinds: no events %q", k).
				WithHint("there are %s", strings.Join(EventKinds(), ", "))
		}
	}
	all := streaming.Of(s)
	all.mu.Lock()
	defer all.mu.Unlock()
	if end := all.ending[to.Key]; end != nil {
		end()
		delete(all.ending, to.Key)
	}
	if len(kinds) > 0 {
		all.ending[to.Key] = startStream(s, Subscribe(s, kinds...), to)
	}
	return kinds, nil
}

// startStream sends what a subscription gets until end is called, or the client or the
// session is gone. A session that somebody listens to is in use: the janitor leaves it
// alone.
func startStream(s *browser.Session, sub *Subscription, to *provider.Emitter) (end func()) {
	release := s.Hold()
	ctx, end := context.WithCancel(to.Connection)
	go func() {
		defer release()
		defer sub.Close()
		defer end()
		for {
			list, lost, err := sub.Next(ctx)
			if err != nil {
				return
			}
			for _, e := range list {
				if to.Send(sentEvent{Event: e, Session: s.Options.ID, Lost: lost}) != nil || ctx.Err() != nil {
					return
				}
				lost = 0
			}
		}
	}()
	return end
}

type sentEvent struct {
	Event
	Session string `json:"session_id,omitempty" own:"yes"`
	Lost    int    `json:"lost,omitempty"` // events dropped just before this one, since the client was slow
}

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
		list, lost = s.queue.items, s.lost
		s.queue.items, s.lost = nil, 0
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
