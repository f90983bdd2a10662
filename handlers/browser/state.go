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
	own(state any, fresh func() any) any
}

// keep is what the features keep with one owner.
type keep struct {
	of sync.Map // func() any, by *State
}

// Of is the owner's own. Any goroutine may call it; New runs once, and those
// who come meanwhile wait for it.
func (s *State[O, T]) Of(o O) *T {
	return o.own(s, func() any {
		if s.New == nil {
			return new(T)
		}
		return s.New(o)
	}).(*T)
}

func (k *keep) own(state any, fresh func() any) any {
	made, known := k.of.Load(state)
	if !known {
		made, _ = k.of.LoadOrStore(state, sync.OnceValue(fresh))
	}
	return made.(func() any)()
}

// Callbacks are functions that features register with an owner. Its zero value is empty.
type Callbacks[T any] struct{ callbacks }

// Add registers fn until remove is called.
func (c *Callbacks[T]) Add(fn func(T)) (remove func()) { return c.add(func(v any) { fn(v.(T)) }) }

// Call calls all in the order in which they were added.
func (c *Callbacks[T]) Call(v T) { callAll(c.take(false), v) }

// callbacks are for any type: what has a type parameter, each package that knows a page compiles.
type callbacks struct {
	mu   sync.Mutex
	list []*func(any)
}

func (c *callbacks) add(fn func(any)) (remove func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := &fn
	c.list = append(c.list, entry)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.list = slices.DeleteFunc(slices.Clone(c.list), func(e *func(any)) bool { return e == entry })
	}
}

// drain empties the list, then calls what was in it.
func (c *callbacks) drain(v any) { callAll(c.take(true), v) }

// together calls all at once, and waits.
func (c *callbacks) together(v any) {
	var wait sync.WaitGroup
	for _, fn := range c.take(false) {
		wait.Go(func() { (*fn)(v) })
	}
	wait.Wait()
}

func (c *callbacks) take(empty bool) []*func(any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	if empty {
		c.list = nil
	}
	return list
}

func callAll(list []*func(any), v any) {
	for _, fn := range list {
		(*fn)(v)
	}
}
