package quota

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// A page too many is refused. A page already counted is not. A page that leaves frees its
// place.
func TestPages(t *testing.T) {
	p := NewPages(2)
	if !p.Enter("a") || !p.Enter("b") || p.Enter("c") || !p.Enter("a") || !p.Full() {
		t.Error("the limit of two pages does not hold")
	}
	p.Leave("b")
	p.Leave("b")
	if p.Left() != 1 || !p.Enter("c") {
		t.Error("a page that left made no room")
	}
	if unlimited := NewPages(0); !unlimited.Enter("a") || unlimited.Full() {
		t.Error("0 is a limit")
	}
}

// The contexts of all browsers are counted together. When a browser ends, its contexts no
// longer count.
func TestContexts(t *testing.T) {
	var c Contexts
	freed := make(chan struct{}, 9)
	c.OnLeave(func() { freed <- struct{}{} })
	gone := make(chan struct{})
	for _, run := range []string{"one", "one", "two"} {
		if err := c.Take(run, gone, 3); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Take("two", gone, 3); err == nil || !strings.Contains(err.Error(), "all 3 browser contexts are in use") {
		t.Errorf("a fourth of three: %v", err)
	}
	c.Leave("one")
	until.Holds(t, "somebody hears that a context is free", func() bool { return len(freed) == 1 })
	if c.Count() != 2 || c.MayTake(3) != nil || c.MayTake(0) != nil {
		t.Errorf("%d contexts are left of 3", c.Count())
	}
	close(gone)
	until.Holds(t, "somebody hears that all are free", func() bool { return len(freed) == 3 })
	if c.Count() != 0 {
		t.Errorf("%d contexts are left of browsers that are gone", c.Count())
	}
}
