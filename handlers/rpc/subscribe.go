package rpc

import (
	"context"
	"slices"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/provider"
)

type subscribeParams struct {
	Kinds []string `json:"kinds,omitempty" doc:"console, page-error, request, response, request-failed, dialog, download, popup, crash, person; all if left out"`
}

type subscribed struct {
	Kinds []string `json:"kinds" doc:"what is sent from now on"`
}

// subscribeEvents has a session's events sent to the client. A second time
// replaces the first.
func subscribeEvents(ctx context.Context, s *browser.Session, in subscribeParams) (subscribed, error) {
	kinds, err := stream(ctx, s, in.Kinds)
	return subscribed{kinds}, err
}

// streaming are the streams of a session's events, by subscriber.
var streaming browser.State[*browser.Session, streams]

type streams struct {
	mu sync.Mutex
	of map[any]func() // ends one
}

// stream sends events of some kinds (nil: all, empty: none) to the client of a
// call, in place of what it had sent before.
func stream(ctx context.Context, s *browser.Session, kinds []string) ([]string, error) {
	to := provider.EmitterFrom(ctx)
	if to == nil {
		return nil, provider.Errorf(provider.KindFailed, "events need a connection that stays open").
			WithHint("subscribe over GET /ws or over stdin; or ask with logs.pull and network.pull")
	}
	if kinds == nil {
		kinds = events.EventKinds()
	}
	for _, k := range kinds {
		if !slices.Contains(events.EventKinds(), k) {
			return nil, provider.Errorf(provider.KindArgs, "kinds: no events %q", k).WithHint("there are %s", strings.Join(events.EventKinds(), ", "))
		}
	}
	all := streaming.Of(s)
	all.mu.Lock()
	defer all.mu.Unlock()
	if old := all.of[to.Key]; old != nil {
		old()
		delete(all.of, to.Key)
	}
	if len(kinds) == 0 {
		return kinds, nil
	}
	if all.of == nil {
		all.of = map[any]func(){}
	}
	sub := events.Subscribe(s, kinds...)
	// Who listens uses the session, so the janitor leaves it alone.
	release := s.Hold()
	run, stop := context.WithCancel(to.Connection)
	all.of[to.Key] = stop
	go func() {
		defer release()
		defer sub.Close()
		defer stop()
		pump(run, s, sub, to)
	}()
	return kinds, nil
}

// sentEvent is an event as the client gets it.
type sentEvent struct {
	events.Event
	Session string `json:"session_id,omitempty" own:"yes"`
	Lost    int    `json:"lost,omitempty"` // events dropped just before this one, since the client was slow
}

// pump sends events until the client or the session is gone.
func pump(ctx context.Context, s *browser.Session, sub *events.Subscription, to *provider.Emitter) {
	for {
		list, lost, err := sub.Next(ctx)
		if err != nil {
			return
		}
		for _, e := range list {
			err := to.Send(sentEvent{Event: e, Session: s.Options.ID, Lost: lost})
			lost = 0
			if err != nil || ctx.Err() != nil {
				return
			}
		}
	}
}
