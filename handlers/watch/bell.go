package watch

import "sync"

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
type bell struct {
	mu sync.Mutex
	of map[signal]struct{}
}

// listen adds a listener, until off.
func (b *bell) listen() (rings <-chan struct{}, off func()) {
	own := newSignal()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[signal]struct{}{}
	}
	b.of[own] = struct{}{}
	return own, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.of, own)
	}
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for own := range b.of {
		own.give()
	}
}
