package program

import "testing"

// TestBrowsersThatFit: auto is one browser per core and GiB, as far as they are known.
func TestBrowsersThatFit(t *testing.T) {
	for _, c := range []struct {
		memory      int64
		cores, want int
	}{{15 << 30, 4, 4}, {3 << 30, 8, 3}, {2 << 30, 8, 2}, {500 << 20, 8, 1}, {0, 6, 6}, {1 << 30, 6, 1}} {
		if got := fitting(c.cores, c.memory); got != c.want {
			t.Errorf("%d cores, %d bytes: %d browsers, want %d", c.cores, c.memory, got, c.want)
		}
	}
}
