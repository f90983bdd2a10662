package perftrace

import (
	"io"
	"os"
	"testing"
)

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

// TestPainted: what the largest paint and the first one waited for, what the tasks did, and what scripts forced.
func TestPainted(t *testing.T) {
	want, err := os.ReadFile("testdata/painted.txt")
	if err != nil {
		t.Fatal(err)
	}
	w, err := Filter(func() (io.ReadCloser, error) { return os.Open("testdata/painted.json") }, io.Discard, nil)
	if err != nil || w.Summary.Text()+"\n" != string(want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, w.Summary.Text(), want)
	}
}
