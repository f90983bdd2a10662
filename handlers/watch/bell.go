package watch

import "sync"

// bell tells listeners that something has changed. A busy listener is told once.
type bell struct {
	mu sync.Mutex
	of map[chan struct{}]struct{}
}

// listen adds a listener, until off.
func (b *bell) listen() (rings <-chan struct{}, off func()) {
	own := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[chan struct{}]struct{}{}
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
		select {
		case own <- struct{}{}:
		default:
		}
	}
}
