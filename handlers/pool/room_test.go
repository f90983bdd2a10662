package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// TestTurns: clients take turns, each one's requests in order. A waiter that
// leaves is skipped.
func TestTurns(t *testing.T) {
	pipetest.UnderRace(t)
	var q queue
	var who []*waiter
	for _, client := range []string{"a", "a", "a", "b", "b", "c"} {
		who = append(who, q.add(client))
	}
	if !q.remove(who[4]) || q.remove(who[4]) {
		t.Error("who left is there, or was not")
	}
	var got []int
	for w := q.next(); w != nil; w = q.next() {
		got = append(got, slices.Index(who, w))
		if len(got) == 2 {
			who = append(who, q.add("d"))
		}
	}
	if want := []int{0, 3, 5, 1, 6, 2}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
	if q.count != 0 || len(q.turns) != 0 || len(q.of) != 0 || q.oldest() != 0 {
		t.Errorf("left: %+v", q)
	}
}

// TestRoom: one who waits gets the place that another leaves. At the end, waiting and
// later ones get the reason.
func TestRoom(t *testing.T) {
	r := room{most: 1, patience: time.Minute, contexts: func() (open, most int) { return 0, 0 },
		soonest: func() time.Duration { return 0 }}
	if err := r.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.settled(true)
	answers := make(chan error)
	wait := func() {
		go func() { answers <- r.take(t.Context()) }()
		pipetest.Eventually(t, "one waits", func() bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.queue.count == 1
		})
	}
	wait()
	r.leave()
	if err := <-answers; err != nil || r.taken != 1 || r.opening != 1 {
		t.Errorf("%v; %d taken, %d are being opened", err, r.taken, r.opening)
	}
	r.settled(true)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.take(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("one who left: %v", err)
	}
	over := errors.New("over")
	wait()
	r.end(over)
	if err := <-answers; err != over {
		t.Errorf("who waited: %v", err)
	}
	if err := r.take(t.Context()); err != over || r.taken != 1 {
		t.Errorf("who came later: %v; %d taken", err, r.taken)
	}
}

// TestRoomOfContexts: where sessions have contexts beside their own, one that is being opened counts before its
// context is there, for those who may wait. A client that may not hears at once, and when to come again.
func TestRoomOfContexts(t *testing.T) {
	open, soonest := 0, 2600*time.Millisecond
	r := room{most: 9, patience: time.Hour, ttl: time.Minute, contexts: func() (int, int) { return open, 2 },
		soonest: func() time.Duration { return soonest }}
	for _, c := range []struct {
		open, opening, taken int
		patience             time.Duration
		free                 bool
	}{
		{0, 1, 1, time.Hour, true}, {1, 1, 2, time.Hour, false}, {2, 0, 2, time.Hour, false},
		{1, 0, 1, time.Hour, true},
		{2, 1, 3, 0, true}, {0, 0, 8, 0, true}, {0, 0, 9, 0, false},
	} {
		open, r.opening, r.taken, r.patience = c.open, c.opening, c.taken, c.patience
		if r.free() != c.free {
			t.Errorf("%+v", c)
		}
	}
	full := func(taken int, waited time.Duration) string {
		r.taken = taken
		e := provider.AsError(r.full(waited))
		return fmt.Sprintf("%s %s; %d", e.Kind, e.Msg, e.RetryAfter)
	}
	for got, want := range map[string]string{
		full(9, 0):                     "over a limit all 9 sessions are open; 3",
		full(9, 1240*time.Millisecond): "over a limit all 9 sessions are open, and none was closed in 1.2s; 3",
		full(8, 0):                     "over a limit over a limit: all 2 browser contexts are in use; 3",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if soonest = -time.Second; full(9, 0) != "over a limit all 9 sessions are open; 1" {
		t.Error(full(9, 0))
	}
	r.patience, r.taken = 0, 9
	if err := r.take(t.Context()); err == nil || r.queue.count != 0 {
		t.Errorf("without patience: %v", err)
	}
	r.patience = time.Hour
	for range maxWaiting {
		r.queue.add("a")
	}
	if err := r.take(t.Context()); err == nil || r.queue.count != maxWaiting {
		t.Errorf("behind %d: %v", maxWaiting, err)
	}
}

// TestPlaces: a session goes to the browser with the fewest; browsers of an attached pool have each its own address.
// One that nobody lives in any more is taken out when it was so for long, and at once where sessions are isolated.
func TestPlaces(t *testing.T) {
	b := newBrowsers(&browser.Browser{}, Browsers{Most: 9, Others: []browser.Config{{}, {}}}, nil)
	one := &lived{Browser: &browser.Browser{}, sessions: 2}
	two := &lived{Browser: &browser.Browser{}, as: 1, sessions: 1}
	b.list[0].sessions, b.list = 2, append(b.list, two)
	if _, as := b.next(); b.Most != 3 || as != 0 {
		t.Errorf("%d browsers; the next is of %d", b.Most, as)
	}
	b.list = append(b.list, one)
	if _, as := b.next(); as != -1 {
		t.Errorf("the next of all is of %d", as)
	}
	if b.place() != two || two.sessions != 2 || b.place() != b.list[0] {
		t.Error("a session goes where there are more")
	}
	b.leave(two)
	b.leave(two)
	if since := time.Now().Add(-time.Minute); len(b.idle(since)) != 0 || len(b.list) != 3 {
		t.Errorf("%d stay", len(b.list))
	}
	b.list[0].sessions = 0
	if gone := b.idle(time.Now().Add(time.Minute)); len(gone) != 1 || gone[0] != two || len(b.list) != 2 {
		t.Errorf("%d go, %d stay", len(gone), len(b.list))
	}
	b.Isolate, one.sessions = true, 0
	if gone := b.idle(time.Time{}); len(gone) != 1 || gone[0] != one {
		t.Errorf("%d isolated ones go", len(gone))
	}
}
