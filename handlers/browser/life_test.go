package browser

import (
	"testing"
	"time"
)

// A context that opens while all are being closed is discarded. A loss that a call has
// reported is not reported again.
func TestLife(t *testing.T) {
	var l life
	generation := l.generation()
	if !l.goesOn(generation) {
		t.Error("a session does not begin")
	}
	l.nextGeneration()
	if l.goesOn(generation) || !l.goesOn(l.generation()) {
		t.Error("a context of before is not too late, or one of now is")
	}
	l.end()
	if l.goesOn(l.generation()) || !l.Ended() {
		t.Error("a session goes on after its end")
	}
	e := anEngine("it crashed", time.Now())
	l.report(e)
	l.lose(e)
	if err := l.takeUnreported(); err != nil {
		t.Errorf("reported again: %v", err)
	}
}
