package browser

import (
	"sync"

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

	closing Callbacks[Ending]
	ending  Callbacks[struct{}]
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
