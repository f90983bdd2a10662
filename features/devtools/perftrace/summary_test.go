package perftrace

import "testing"

// TestWorst: a window of layout shifts ends after a second without one, and after five.
func TestWorst(t *testing.T) {
	at := func(times ...float64) (list []shift) {
		for _, ts := range times {
			list = append(list, shift{ts: ts * 1e6, score: 1})
		}
		return list
	}
	for want, shifts := range map[float64][]shift{0: nil, 2: at(5, 5.99), 1: at(0, 1, 2), 3: at(2, 1.5, 1),
		6: at(0, .9, 1.8, 2.7, 3.6, 4.5, 5), 7: at(0, .9, 1.8, 2.7, 3.6, 4.5, 4.9, 5.2, 5.3)} {
		if got := worst(shifts); got != want {
			t.Errorf("%v: %v, want %v", shifts, got, want)
		}
	}
}
