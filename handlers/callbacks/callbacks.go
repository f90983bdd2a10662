// Package callbacks keeps the functions that features register with an owner.
package callbacks

import (
	"slices"
	"sync"
)

// List is a list of callbacks. Its zero value is empty.
type List[T any] struct {
	mu   sync.Mutex
	list []*func(T)
}

// Add registers fn until remove is called.
func (c *List[T]) Add(fn func(T)) (remove func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := &fn
	c.list = append(c.list, entry)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.list = slices.DeleteFunc(slices.Clone(c.list), func(e *func(T)) bool { return e == entry })
	}
}

// Drain empties the list, then calls what was in it.
func (c *List[T]) Drain(v T) { call(c.take(true), v) }

// Call calls all in the order in which they were added.
func (c *List[T]) Call(v T) { call(c.take(false), v) }

// Together calls all at once, and waits.
func (c *List[T]) Together(v T) {
	var wait sync.WaitGroup
	for _, fn := range c.take(false) {
		wait.Go(func() { (*fn)(v) })
	}
	wait.Wait()
}

func (c *List[T]) take(empty bool) []*func(T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	if empty {
		c.list = nil
	}
	return list
}

func call[T any](list []*func(T), v T) {
	for _, fn := range list {
		(*fn)(v)
	}
}
