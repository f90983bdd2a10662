package browser

import (
	"slices"
	"sync"
)

// State is what a feature keeps with each page, session or browser: made when
// it is first asked for, forgotten with its owner. Declare one as a package
// variable; the variable is its name.
type State[O owner, T any] struct {
	New func(O) *T // nil: new. It may hook itself to its owner, and ask for other state.
}

// owner is what state is kept with.
type owner interface {
	*Page | *Session | *Browser
	kept() *keep
}

// keep is what the features keep with one owner.
type keep struct {
	of sync.Map // func() *T, by *State
}

func (k *keep) kept() *keep { return k }

// Of is the owner's own. Any goroutine may call it; New runs once, and those
// who come meanwhile wait for it.
func (s *State[O, T]) Of(o O) *T {
	k := o.kept()
	own, known := k.of.Load(s)
	if !known {
		own, _ = k.of.LoadOrStore(s, sync.OnceValue(func() *T {
			if s.New == nil {
				return new(T)
			}
			return s.New(o)
		}))
	}
	return own.(func() *T)()
}

// Callbacks are functions that features register with an owner. Its zero value is empty.
type Callbacks[T any] struct {
	mu   sync.Mutex
	list []*func(T)
}

// Add registers fn until remove is called.
func (c *Callbacks[T]) Add(fn func(T)) (remove func()) {
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
func (c *Callbacks[T]) Drain(v T) { callAll(c.take(true), v) }

// Call calls all in the order in which they were added.
func (c *Callbacks[T]) Call(v T) { callAll(c.take(false), v) }

// Together calls all at once, and waits.
func (c *Callbacks[T]) Together(v T) {
	var wait sync.WaitGroup
	for _, fn := range c.take(false) {
		wait.Go(func() { (*fn)(v) })
	}
	wait.Wait()
}

func (c *Callbacks[T]) take(empty bool) []*func(T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	if empty {
		c.list = nil
	}
	return list
}

func callAll[T any](list []*func(T), v T) {
	for _, fn := range list {
		(*fn)(v)
	}
}
