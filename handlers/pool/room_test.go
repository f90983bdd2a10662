package pool

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
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
