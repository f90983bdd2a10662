package browser

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// Close ends the session: its contexts, as far as ctx allows, and its scripts.
func (s *Session) Close(ctx context.Context) {
	s.end()
	e := s.Current()
	s.closing.Call(Ending{Context: ctx, Last: true})
	s.CloseContexts(ctx, "the session was closed")
	if e != nil {
		s.returnTabs(e)
	}
	s.ending.Call(struct{}{})
}

// Reset closes the session's contexts and has the features forget what they
// keep between calls. The session goes on.
func (s *Session) Reset(ctx context.Context) {
	s.closing.Call(Ending{Context: ctx})
	s.CloseContexts(ctx, "the session was reset")
}

// CloseContexts closes the session's contexts, those too that are only being
// opened. Those of somebody else's browser stay, and keep their handles.
func (s *Session) CloseContexts(ctx context.Context, fate string) {
	s.table.mu.Lock()
	e := s.engine
	s.nextGeneration()
	names := map[playwright.BrowserContext]string{}
	for name, c := range s.contexts.Live {
		if !s.found[c] {
			names[c] = name
		}
	}
	s.table.mu.Unlock()
	if e == nil {
		return
	}
	s.letAllGo(nil)
	s.forget(names, fate)
	var wait sync.WaitGroup
	for c, name := range names {
		wait.Go(func() {
			s.Browser.hooks.closing(ctx, s, e, c, name)
			_ = AwaitDo(ctx, e, nil, func() error { s.EndContext(c); return nil })
		})
	}
	wait.Wait()
}

// forget takes contexts out of the tables without waiting for their events to
// say that they are closed.
func (s *Session) forget(contexts map[playwright.BrowserContext]string, fate string) {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	for _, p := range s.pages.Live {
		if contexts[p.Context] != "" {
			s.removePage(p, fate)
		}
	}
	for c := range contexts {
		s.removeContext(c, fate)
	}
}

// closeContext closes a context; lost says what could not be kept of it.
func (s *Session) closeContext(c playwright.BrowserContext) (lost, err error) {
	err = c.Close()
	return s.Browser.hooks.closed(s, c), err
}

// EndContext is closeContext where nobody is left to be answered.
func (s *Session) EndContext(c playwright.BrowserContext) {
	if lost, _ := s.closeContext(c); lost != nil {
		s.Browser.Log.Error("a recording is lost", "error", lost.Error())
	}
}

func errContextsClosed() error {
	return provider.Errorf(provider.KindNoTarget, "the session's contexts were closed meanwhile")
}

// CloseTime bounds how long the contexts of a session may take to close.
const CloseTime = 10 * time.Second
