package browser

import (
	"sync"
	"sync/atomic"
	"testing"

	"pwpipe/handlers/callbacks"
)

// TestState: each owner has its own, made once however many ask at the same
// time; New may ask for other state of its owner.
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
	// Of size zero, two variables may have one address.
	var x, y State[*Page, struct{}]
	x.New = func(*Page) *struct{} { made.Add(1); return new(struct{}) }
	y.New = x.New
	x.Of(a)
	y.Of(a)
	if n := made.Load(); n != 4 { // of b's one too
		t.Errorf("made %d times", n)
	}
}

// TestCallbacks: what is hooked is called in order until it is removed.
func TestCallbacks(t *testing.T) {
	var c callbacks.List[int]
	sum := 0
	remove := c.Add(func(n int) { sum = sum*10 + n })
	c.Add(func(n int) { sum = sum*10 + n + 1 })
	c.Call(1)
	remove()
	remove()
	c.Call(3)
	if sum != 124 {
		t.Errorf("got %d", sum)
	}
	c.Drain(5)
	c.Drain(7)
	c.Call(8)
	if sum != 1246 {
		t.Errorf("drained: got %d", sum)
	}
}

// BenchmarkState is a look-up.
func BenchmarkState(b *testing.B) {
	var s State[*Page, int]
	p := &Page{}
	for b.Loop() {
		s.Of(p)
	}
}
