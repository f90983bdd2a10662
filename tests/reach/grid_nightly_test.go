//go:build evidence

package reach

import (
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestGridOfAService: each session has a browser of the grid. After a kill the next
// pwpipe ends the remaining ones.
func TestGridOfAService(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the tests of internal/browser/grid are quick")
	h := newHub(t)
	temp := t.TempDir()
	s := pipetest.StartService(t, "--grid="+h.addr, "--isolate=session", "TMPDIR="+temp)
	a, b := s.Open(nil), s.Open(nil)
	a.On("nav", pipetest.Object{"url": "/form", "timeout": 60})
	b.On("nav", pipetest.Object{"url": "/login", "timeout": 60})
	h.wait(2)
	a.On("session.close", nil)
	h.wait(1)
	if got := b.On("title", nil); !strings.Contains(got, "Sign in") {
		t.Error(got)
	}
	s.Signal(os.Kill)
	s.Stop()
	if n := len(h.sessions()); n != 1 {
		t.Fatalf("%d sessions are left", n)
	}
	t.Setenv("TMPDIR", temp)
	pipetest.Start(t).Call("nav", []any{"about:blank"})
	h.wait(0)
}
