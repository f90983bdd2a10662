package pool

import (
	"slices"
	"testing"
)

// TestTurns: clients take turns, each one's requests in order. A waiter that
// leaves is skipped.
func TestTurns(t *testing.T) {
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
