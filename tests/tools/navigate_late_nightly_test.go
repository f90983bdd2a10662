//go:build evidence

package tools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLateServerNamed: a browser launched by name is not lost either.
func TestLateServerNamed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestWhatLoadingWaitsFor is quick")
	t.Parallel()
	at, _ := lateServer(t)
	p := pipetest.Start(t)
	type reply struct {
		Success bool
		Stderr  string
	}
	for _, step := range []struct {
		params pipetest.Object
		ok     bool
	}{
		{pipetest.Object{"action": "launch"}, true},
		{pipetest.Object{"action": "navigate", "url": at + "/"}, true},
		{pipetest.Object{"action": "navigate", "url": at + "/late", "timeout": 1}, false},
		{pipetest.Object{"action": "navigate", "url": at + "/"}, true},
		{pipetest.Object{"action": "screenshot"}, true},
	} {
		if r := pipetest.Get[reply](p, "playwright_browser", step.params); r.Success != step.ok {
			t.Errorf("%v: success %v: %s", step.params, r.Success, r.Stderr)
		}
	}
}
