package handlers

import "sync"

// callbacks are what features have hooked to one owner.
type callbacks[T any] struct {
	mu   sync.Mutex
	list []*func(T)
}

// add hooks fn to the owner until remove.
func (c *callbacks[T]) add(fn func(T)) (remove func()) {
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

// drain calls them, for the last time.
func (c *callbacks[T]) drain(v T) {
	c.mu.Lock()
	list := c.list
	c.list = nil
	c.mu.Unlock()
	for _, fn := range list {
		(*fn)(v)
	}
}

// together calls them all at once, and waits.
func (c *callbacks[T]) together(v T) {
	c.mu.Lock()
	list := c.list
	c.mu.Unlock()
	var wait sync.WaitGroup
	for _, fn := range list {
		wait.Go(func() { (*fn)(v) })
	}
	wait.Wait()
}

// call calls them in the order in which they were hooked.
func (c *callbacks[T]) call(v T) {
	c.mu.Lock()
	list := c.list
	c.mu.Unlock()
	for _, fn := range list {
		(*fn)(v)
	}
}
