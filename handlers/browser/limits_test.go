package browser

import (
	"errors"
	"testing"

	"pwpipe/provider"
)

// Limits find a context's shape by its Chromium id. A closed context leaves no shape.
func TestLimits(t *testing.T) {
	l := newLimits(1)
	small, large := &anyContext{}, &anyContext{}
	l.noteShape(small, shape{10, 10, 1})
	l.noteShape(large, shape{100, 10, 2})
	l.count(small, "S")
	if s, unknown := l.pixelsIn("S"), l.pixelsIn("?"); s != 100 || unknown != 4000 || l.MaxScale() != 2 {
		t.Errorf("%v pixels in S, %v where the id is not known", s, unknown)
	}
	if !l.OwnsContext("S") || l.forget(small) != "S" || l.OwnsContext("S") {
		t.Error("a context is counted after it was forgotten")
	}
	var limit *provider.Error
	l.room.Enter("a page")
	if !errors.As(l.room.OverLimit(""), &limit) || l.room.Left() != 0 {
		t.Errorf("room for %d more pages of one", l.room.Left())
	}
}
