package lists

import (
	"sync"
)

// Callbacks are what features have hooked to one owner.
type Callbacks[T any] struct {
	mu   sync.Mutex
	list []*func(T)
}

// Add hooks fn to the owner until remove.
func (c *Callbacks[T]) Add(fn func(T)) (remove func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := &fn
	c.list = append(c.list, entry)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, e := range c.list {
			if e == entry {
				c.list = append(c.list[:i:i], c.list[i+1:]...)
				return
			}
		}
	}
}

// Drain calls them, for the last time.
func (c *Callbacks[T]) Drain(v T) {
	c.mu.Lock()
	list := c.list
	c.list = nil
	c.mu.Unlock()
	for _, fn := range list {
		(*fn)(v)
	}
}

// Together calls them all at once, and waits.
func (c *Callbacks[T]) Together(v T) {
	c.mu.Lock()
	list := c.list
	c.mu.Unlock()
	var wait sync.WaitGroup
	for _, fn := range list {
		wait.Go(func() { (*fn)(v) })
	}
	wait.Wait()
}

// Call calls them in the order in which they were hooked.
func (c *Callbacks[T]) Call(v T) {
	c.mu.Lock()
	list := c.list
	c.mu.Unlock()
	for _, fn := range list {
		(*fn)(v)
	}
}
