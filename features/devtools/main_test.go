// Package inspect_test tests the tools of profile devtools, and the scripts'
// helpers for them, over the real pipe.
package devtools_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// start runs pwpipe on the sample site's page for debugging.
func start(t *testing.T) *pipetest.Pipe {
	t.Helper()
	p, _ := startIn(t)
	p.Call("nav", pipetest.List("/debug"))
	return p
}

// startIn is a pwpipe that is shared, and a folder that it may write.
func startIn(t *testing.T) (p *pipetest.Pipe, dir string) {
	t.Helper()
	return pipetest.SharedIn(t, "--profile", "devtools")
}

// startOwn is start for a test that needs its own process.
func startOwn(t *testing.T) *pipetest.Pipe {
	t.Helper()
	return pipetest.StartOn(t, "/debug", "--profile", "devtools")
}

// where is the debugger's state of the page.
type where struct {
	State, Reason, Function, URL, Source string
	Line, Column                         int
	Hit                                  []string
	Exception, Returns                   any
	Stack                                []struct {
		Function, URL string
		Line, Column  int
	}
}

// place is the function and the line.
func (w where) place() string {
	if w.State != "paused" {
		return w.State
	}
	raw, _ := json.Marshal([]any{w.Function, w.Line})
	return string(raw)
}

type breakpoint struct {
	ID, File, Condition string
	Line                int
	Pending             bool
	Locations           []struct {
		URL          string
		Line, Column int
	}
}

// breakAt sets a breakpoint in debug.js and clicks an element that hits it.
func breakAt(p *pipetest.Pipe, line int, click string) breakpoint {
	p.T.Helper()
	b := pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": "debug.js", "line": line})
	pipetest.Has(p.T.(*testing.T), p.Fail("click", []string{click}), "p1 is paused in the debugger at debug.js:")
	return b
}

func same(t *testing.T, got, want any) {
	t.Helper()
	a, b := normal(got), normal(want)
	if a != b {
		t.Errorf("got %s, want %s", a, b)
	}
}

// normal is a value as JSON with sorted keys.
func normal(v any) string {
	raw, _ := json.Marshal(v)
	var plain any
	_ = json.Unmarshal(raw, &plain)
	raw, _ = json.Marshal(plain)
	return string(raw)
}

// sameJSON is same for JSON texts.
func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	same(t, json.RawMessage(got), json.RawMessage(want))
}
