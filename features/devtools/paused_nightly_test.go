//go:build evidence

package devtools_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestQueueBehindAPause: requests sent before the pause was known are answered
// too, in order.
func TestQueueBehindAPause(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPauseAndWait is quick")
	pipetest.UnderRace(t)
	t.Parallel()
	p := start(t)
	p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 6})
	p.Request("click", []string{"#total"})
	p.Request("txt", []string{"#result"})
	p.Request("debug-locals", nil)
	p.Request("debug-unbreak", nil)
	p.Request("debug-resume", nil)
	p.Request("txt", []string{"#result"})
	var got []string
	for range 6 {
		r := p.Reply()
		if r.Error != "" {
			got = append(got, r.Error[:strings.Index(r.Error, ":")])
			continue
		}
		got = append(got, string(r.Result))
	}
	same(t, []string{got[0], got[1], got[3], got[5]}, []string{"click", "txt", "1", `"Total: 133"`})
	pipetest.Has(t, got[2], `"a":0`)
}
