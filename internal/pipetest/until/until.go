// Package until waits in tests for a state. It imports nothing of the project, so that the
// packages on which pipetest stands can use it, too.
package until

import (
	"testing"
	"time"
)

// Patience is how long a test waits for something that must happen. It bounds a hang;
// it measures nothing.
const Patience = 90 * time.Second

// Holds waits until a condition holds. It fails the test if that does not happen within
// Patience; what names the condition.
func Holds(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !Held(holds) {
		t.Fatalf("in vain: %s", what)
	}
}

// Held is Holds for a caller that reports by itself: it answers whether the condition
// held within Patience. It asks less and less often, since a question may cost a call of a
// program and of its browser.
func Held(holds func() bool) bool {
	pause := 5 * time.Millisecond
	for deadline := time.Now().Add(Patience); !holds(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			return false
		}
		pause = min(pause+pause/2, 100*time.Millisecond)
	}
	return true
}
