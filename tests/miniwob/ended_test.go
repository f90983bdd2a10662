//go:build evidence

package miniwob

import (
	"net/http"
	"testing"

	"pwpipe/internal/pipetest"
)

// A page that ends before anybody has done anything there has no answer yet: the trial of a model counts the next end.
func TestEndsWithoutAnAnswer(t *testing.T) {
	dir, _ := pages(t)
	own := &trial{rewards: map[string]float64{}}
	page := "/miniwob/click-test.html"
	p := pipetest.SharedOn(t, serve(t, dir, report, func(mux *http.ServeMux) { mux.HandleFunc("POST /ended", own.note) })+page)
	end := func(reward string) {
		p.Call("expect-title", []string{"ready"})
		p.Call("eval", []string{"core.endEpisode(" + reward + "), 1"})
	}
	end("-0.75")
	p.Call("reload", nil)
	p.Call("press", []string{"Tab"})
	end("-0.25")
	pipetest.Eventually(t, "a reward", func() bool {
		own.mu.Lock()
		defer own.mu.Unlock()
		return len(own.rewards) > 0
	})
	if got := own.rewards[page]; got != -0.25 {
		t.Errorf("counted the end with %v, which nobody answered", got)
	}
}
