package watch

import "pwpipe/handlers/browser"

// signal holds a token from when something has happened until somebody takes it.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

// give puts a token in, unless there is one.
func (s signal) give() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// drop takes the token out, if there is one.
func (s signal) drop() {
	select {
	case <-s:
	default:
	}
}

// bell tells listeners that something has changed. A busy listener is told once.
type bell struct{ listeners browser.Callbacks[struct{}] }

// listen adds a listener, until off.
func (b *bell) listen() (rings <-chan struct{}, off func()) {
	own := newSignal()
	return own, b.listeners.Add(func(struct{}) { own.give() })
}

func (b *bell) ring() { b.listeners.Call(struct{}{}) }
