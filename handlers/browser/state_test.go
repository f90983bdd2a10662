package browser

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// TestState: each owner has its own state, made once even under concurrent calls. New may use
// other state of its owner.
func TestState(t *testing.T) {
	var made atomic.Int64
	other := &State[*Page, int]{}
	one := &State[*Page, [2]*int]{}
	one.New = func(p *Page) *[2]*int {
		made.Add(1)
		return &[2]*int{other.Of(p), other.Of(p)}
	}
	a, b := &Page{}, &Page{}
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() { one.Of(a) })
	}
	wait.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
	if first := one.Of(a); one.Of(a) != first || one.Of(b) == first {
		t.Error("not the owner's own")
	}
	if got := one.Of(a); got[0] != other.Of(a) || got[1] != got[0] {
		t.Error("state of state is not the owner's")
	}
	// Two variables of size zero may share an address.
	var x, y State[*Page, struct{}]
	x.New = func(*Page) *struct{} { made.Add(1); return new(struct{}) }
	y.New = x.New
	x.Of(a)
	y.Of(a)
	if n := made.Load(); n != 4 { // includes b's
		t.Errorf("made %d times", n)
	}
}

func BenchmarkState(b *testing.B) {
	var s State[*Page, int]
	p := &Page{}
	for b.Loop() {
		s.Of(p)
	}
}

// TestCallbacks: callbacks run in order, can be removed while running, and run once when
// drained.
func TestCallbacks(t *testing.T) {
	var list Callbacks[string]
	var got []string
	add := func(name string) func() { return list.Add(func(v string) { got = append(got, name+v) }) }
	add("a")
	var removeC func()
	list.Add(func(string) { removeC() })
	removeC = add("c")
	add("d")
	for _, run := range []struct {
		call func(string)
		want []string
	}{
		{list.Call, []string{"a1", "c1", "d1"}},
		{func(v string) { list.drain(v) }, []string{"a1", "d1"}},
		{list.Call, nil},
	} {
		got = nil
		run.call("1")
		if !slices.Equal(got, run.want) {
			t.Errorf("called %v, want %v", got, run.want)
		}
	}
}
