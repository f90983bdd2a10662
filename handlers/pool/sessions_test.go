package pool

import (
	"context"
	"slices"
	"testing"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
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

// TestTeams: a session and its fate are its team's. Those that are being opened count, those of other teams do not.
func TestTeams(t *testing.T) {
	known := sessions{byID: map[string]*pooled{}, fate: map[string]string{}, opens: map[string]int{}}
	red, blue := provider.Team{Name: "red", MaxSessions: 2}, provider.Team{Name: "blue"}
	add := func(team provider.Team, id string) {
		known.add(id, &pooled{team: team.Name, Session: &browser.Session{Options: browser.SessionOptions{ID: id}}})
	}
	for range 3 {
		if !known.enter(blue) {
			t.Error("a team without a bound is refused")
		}
	}
	add(red, "a")
	if !known.enter(red) || known.enter(red) {
		t.Error("one that is open and one that is being opened are two")
	}
	if known.entered(red); !known.enter(red) {
		t.Error("one that was not opened counts")
	}
	if add(red, "b"); known.find("a") == nil || len(known.living()) != 2 || known.living()[1].Options.ID != "b" {
		t.Errorf("living: %+v", known.living())
	}
	known.byID["a"].used = time.Now().Add(-time.Minute)
	if wait := known.soonest(time.Hour); wait > 59*time.Minute || wait < 30*time.Minute {
		t.Errorf("the next is closed in %s", wait)
	}
	if s, fate := known.claim("blue", "a", "x"); s != nil || fate != "" {
		t.Errorf("another team's: %v, %q", s, fate)
	}
	known.claim("red", "a", "it was closed")
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if known.find("a") != nil || len(known.living()) != 1 || known.count() != 2 || known.gone(late, "red", "a") {
		t.Error("one that is being closed is there, or is gone already")
	}
	go known.forget("a")
	if !known.gone(t.Context(), "red", "a") || known.gone(t.Context(), "blue", "a") || known.count() != 1 {
		t.Error("one that is closed is not gone, or is for another team")
	}
}
