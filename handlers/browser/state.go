package browser

import (
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
	mu sync.RWMutex
	of map[any]any // *slot, by *State
}

type slot[T any] struct {
	once  sync.Once
	value *T
}

// Of is the owner's own. Any goroutine may call it; New runs once, and those
// who come meanwhile wait for it.
func (s *State[O, T]) Of(o O) *T {
	k := o.kept()
	k.mu.RLock()
	v := k.of[s]
	k.mu.RUnlock()
	if v == nil {
		v = k.add(s, &slot[T]{})
	}
	own := v.(*slot[T])
	own.once.Do(func() {
		if s.New == nil {
			own.value = new(T)
			return
		}
		own.value = s.New(o)
	})
	return own.value
}

// add keeps a slot for a State, unless another has come first.
func (k *keep) add(s, slot any) any {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[any]any{}
	}
	if k.of[s] == nil {
		k.of[s] = slot
	}
	return k.of[s]
}

func (k *keep) kept() *keep { return k }
