//go:build evidence

package devtools_test

import (
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// TestPerfTraceInDevTools: DevTools' own trace engine reads the file, and finds in it what the
// summary says.
func TestPerfTraceInDevTools(t *testing.T) {
	pipetest.Nightly(t, "TestPerfTrace looks for the events that DevTools needs")
	t.Parallel()
	site := servePerf(t)
	p, dir := startIn(t)
	path := filepath.Join(dir, "trace.json")
	p.Call("perf-trace-start", nil)
	p.Call("nav", []string{site})
	p.Call("expect-title", []string{"done"})
	text := pipetest.Decode[string](t, p.Call("perf-trace-stop", []string{path}))
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	modules := pipetest.NPM(t, "@paulirish/trace_engine@0.0.65")
	out, err := exec.Command(in.Node, filepath.Join("testdata", "devtools.mjs"), path, modules).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := pipetest.Decode[struct {
		Page           string
		LCP, FirstByte float64
		LongTasks      float64
		Blocking       []string
	}](t, string(out))
	if got.Page != site+"/" {
		t.Errorf("the page is %q", got.Page)
	}
	for pattern, theirs := range map[string]float64{`LCP ([\d.]+) ms`: got.LCP, `first byte ([\d.]+) ms`: got.FirstByte,
		`(\d+) long tasks`: got.LongTasks} {
		if ours := figure(t, text, pattern); math.Abs(ours-theirs) > 0.1 {
			t.Errorf("%s: DevTools finds %v:\n%s", pattern, theirs, text)
		}
	}
	for _, url := range got.Blocking {
		pipetest.Has(t, text, url)
	}
	if len(got.Blocking) == 0 {
		t.Error("DevTools finds no request that the first paint waited for")
	}
}
