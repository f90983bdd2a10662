package browser

import (
	"testing"
	"time"
)

// A context that opens while all are being closed is discarded. A loss that a call has
// reported is not reported again.
func TestLife(t *testing.T) {
	var l life
	closings := l.closings.Load()
	if !l.goesOn(closings) {
		t.Error("a session does not begin")
	}
	l.closings.Add(1)
	if l.goesOn(closings) || !l.goesOn(l.closings.Load()) {
		t.Error("a context of before is not too late, or one of now is")
	}
	l.over.Store(true)
	if l.goesOn(l.closings.Load()) || !l.Ended() {
		t.Error("a session goes on after its end")
	}
	e := anEngine("it crashed", time.Now())
	l.report(e)
	l.lose(e)
	if err := l.takeUnreported(); err != nil {
		t.Errorf("reported again: %v", err)
	}
}
