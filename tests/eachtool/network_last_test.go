package eachtool_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRequestsLast: last is how many of the newest requests that match are listed, the oldest of them first, and since
// leaves out those up to a number.
func TestRequestsLast(t *testing.T) {
	t.Parallel()
	p := pipetest.SharedOn(t, "/form")
	p.Call("eval", list("(async () => { for (const n of [1, 2, 3, 4]) await fetch('/api/echo?n=' + n); await fetch('/api/user') })()"))
	listed := func(more pipetest.Object) (got []string, numbers []int) {
		filter := pipetest.Object{"url": "/api/echo"}
		maps.Copy(filter, more)
		for _, r := range pipetest.Get[[]struct {
			Request int
			URL     string
		}](p, "requests", filter) {
			_, query, _ := strings.Cut(r.URL, "?n=")
			got, numbers = append(got, query), append(numbers, r.Request)
		}
		return got, numbers
	}
	all, numbers := listed(nil)
	if !slices.Equal(all, []string{"1", "2", "3", "4"}) {
		t.Fatalf("all: %q", all)
	}
	for n := 1; n <= 5; n++ {
		if got, _ := listed(pipetest.Object{"last": n}); !slices.Equal(got, all[max(0, 4-n):]) {
			t.Errorf("the last %d: %q", n, got)
		}
	}
	for i, number := range numbers {
		if got, _ := listed(pipetest.Object{"since": number}); !slices.Equal(got, all[i+1:]) {
			t.Errorf("since %q: %q", all[i], got)
		}
		if got, _ := listed(pipetest.Object{"since": number - 1, "last": 1}); !slices.Equal(got, all[3:]) {
			t.Errorf("the last since before %q: %q", all[i], got)
		}
	}
}
