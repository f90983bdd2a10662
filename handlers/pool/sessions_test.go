package pool

import (
	"slices"
	"testing"
	"time"

	"pwpipe/handlers/browser"
)

// TestClaims: a session is closed by one only, never while it is in use, and is gone
// afterwards.
func TestClaims(t *testing.T) {
	known := sessions{byID: map[string]*pooled{}, fate: map[string]string{}}
	for _, id := range []string{"a", "b", "c"} {
		if !known.add(id, &pooled{Session: &browser.Session{Options: browser.SessionOptions{ID: id}}}) {
			t.Fatal(id, "is not added")
		}
	}
	a, _ := known.use("", "a")
	var idle []string
	for _, s := range known.claimIdle(time.Now().Add(time.Hour), "it was idle") {
		idle = append(idle, s.Options.ID)
	}
	if slices.Sort(idle); !slices.Equal(idle, []string{"b", "c"}) {
		t.Errorf("claimed %v while a is in use", idle)
	}
	if s, fate := known.claim("", "b", "it was closed"); s != nil || fate != "it was idle" { // its contexts still close
		t.Errorf("b is claimed twice: %q", fate)
	}
	known.forget("b")
	if s, fate := known.use("", "b"); s != nil || fate != "it was idle" || !known.gone(t.Context(), "", "b") {
		t.Errorf("b: %v, %q", s, fate)
	}
	before := time.Now()
	known.leave(a)
	known.claimIdle(before, "") // a was used after that
	own, closing := known.claimAll("")
	if len(own) != 1 || own[0] != a || len(closing) != 2 {
		t.Errorf("at the end: %v own, %d that close", own, len(closing))
	}
	if known.add("d", &pooled{}) {
		t.Error("a closed pool takes another session")
	}
}
