package browser

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/callbacks"
	"pwpipe/provider"
)

// life is whether a session goes on, who is called at its end, and which loss of a
// browser it has reported.
type life struct {
	mu         sync.Mutex
	over       bool    // the session was closed: nothing is opened any more
	closings   int     // how often all contexts were closed
	reported   *Engine // whose loss a call has reported
	unreported *Engine // whose loss the next call has to report

	closing callbacks.List[Ending]
	ending  callbacks.List[struct{}]
}

// OnClose registers fn, which is called before the session's contexts are closed, and
// when the session is reset.
func (l *life) OnClose(fn func(Ending)) { l.closing.Add(fn) }

// OnClosed registers fn, which is called when the session is over and its contexts are
// closed.
func (l *life) OnClosed(fn func()) { l.ending.Add(func(struct{}) { fn() }) }

// Ended reports whether the session is closed, or being closed.
func (l *life) Ended() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// end makes the session over.
func (l *life) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}

// generation is how often all contexts were closed.
func (l *life) generation() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closings
}

// nextGeneration begins when all contexts are closed.
func (l *life) nextGeneration() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closings++
}

// goesOn reports whether a generation goes on.
func (l *life) goesOn(generation int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.over && l.closings == generation
}

// report notes that a call says what became of an engine.
func (l *life) report(e *Engine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reported = e
	if l.unreported == e {
		l.unreported = nil
	}
}

// lose notes that the session has lost what it had in an engine. The next call reports
// it, unless one has.
func (l *life) lose(e *Engine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reported != e {
		l.unreported = e
	}
}

// takeUnreported is the error of a browser that was lost between two calls, once.
func (l *life) takeUnreported() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.unreported
	if l.unreported = nil; e == nil {
		return nil
	}
	l.reported = e
	return provider.Errorf(provider.KindUnavailable,
		"%s since the last request, and the session's pages with it", e.Reason).
		WithHint("the next request gets a fresh page")
}

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
