package tools_test

import (
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRequestsLast: last is how many of the newest requests that match are listed, the oldest of them first.
func TestRequestsLast(t *testing.T) {
	t.Parallel()
	p := pipetest.SharedOn(t, "/form")
	p.Call("eval", list("(async () => { for (const n of [1, 2, 3, 4]) await fetch('/api/echo?n=' + n); await fetch('/api/user') })()"))
	for n, want := range map[int][]string{1: {"4"}, 2: {"3", "4"}, 4: {"1", "2", "3", "4"}, 9: {"1", "2", "3", "4"}} {
		var got []string
		for _, r := range pipetest.Get[[]struct{ URL string }](p, "requests", pipetest.Object{"url": "/api/echo", "last": n}) {
			_, query, _ := strings.Cut(r.URL, "?n=")
			got = append(got, query)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the last %d: %q", n, got)
		}
	}
}
