package eachtool_test

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestATraceHasTheReads: while tracing, calls of the fast path go through the driver and
// are in the trace. Afterwards they use the fast path again.
func TestATraceHasTheReads(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestShots of cmd/pwpipe is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	path := filepath.Join(t.TempDir(), "trace.zip")
	calls := func() {
		pipetest.Steps(p,
			pipetest.Does("txt", pipetest.List("h1"), `"Form"`),
			pipetest.Does("vis", pipetest.List("h1"), "true"),
			pipetest.Does("title", nil, `"Form | Skerry"`),
			pipetest.Does("eval", pipetest.List("1 + 1"), "2"),
			pipetest.Does("fill", pipetest.List("#name", "Ada"), "null"),
			pipetest.Does("value", pipetest.List("#name"), `"Ada"`),
			pipetest.Does("click", pipetest.List("#count"), "null"),
		)
	}
	p.Call("nav", []string{"/form"})
	calls()
	p.Call("trace-start", pipetest.Object{"title": "The form"})
	calls()
	p.Call("trace-stop", []string{path})
	calls()
	got := traced(t, path)
	for _, want := range []string{"titled The form", "Frame.textContent", "Frame.isVisible", "Frame.title", "Frame.evaluateExpression", "Frame.fill", "Frame.inputValue", "Frame.click"} {
		// A click asks the driver whether the page has locked the pointer, since the page itself is not asked then.
		most := map[string]int{"Frame.evaluateExpression": 2}[want]
		if n := len(slices.DeleteFunc(slices.Clone(got), func(call string) bool { return call != want })); n < 1 || n > max(1, most) {
			t.Errorf("%s is %d times in the trace: %v", want, n, got)
		}
	}
}

// traced returns the calls in a trace, and its title.
func traced(t *testing.T, path string) (calls []string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("trace.trace")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		var e struct{ Type, Class, Method, Title string }
		if json.Unmarshal(line, &e) == nil && e.Type == "before" {
			calls = append(calls, e.Class+"."+e.Method)
		} else if e.Type == "context-options" {
			calls = append(calls, "titled "+e.Title)
		}
		if err != nil {
			return calls
		}
	}
}
