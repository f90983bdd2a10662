package devtools_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// runs is how often each program loads the page.
const runs = 7

// phase is a figure of a page, and how each program says it.
type phase struct {
	name, theirs, trace string
	ofVitals            func(vitals) float64 // nil for a figure that vitals has not
}

var phases = []phase{
	{"LCP, ms", `LCP: ([\d.]+)[ \x{a0}]ms`, `LCP ([\d.]+) ms`, func(v vitals) float64 { return v.LCP.MS }},
	{"first byte, ms", `TTFB: ([\d.]+)[ \x{a0}]ms`, `first byte ([\d.]+) ms`, func(v vitals) float64 { return v.TTFB.MS }},
	{"until the picture was requested, ms", `Load delay: ([\d.]+)[ \x{a0}]ms`, `requested ([\d.]+)`, nil},
	{"until it was loaded, ms", `Load duration: ([\d.]+)[ \x{a0}]ms`, `loaded in ([\d.]+)`, nil},
	{"until it was painted, ms", `Render delay: ([\d.]+)[ \x{a0}]ms`, `painted after ([\d.]+)`, nil},
	{"CLS", `CLS: ([\d.]+)`, `CLS ([\d.]+)`, func(v vitals) float64 { return v.CLS.Score }},
}

// TestPerfBesideDevToolsMCP loads the same page in turn with Chrome DevTools MCP and with
// pwpipe, in the same browser, and writes the medians to docs/peers.md:
//
//	PWPIPE_TEST_PEERS=1 go test ./features/devtools -run BesideDevToolsMCP -update
func TestPerfBesideDevToolsMCP(t *testing.T) {
	if os.Getenv("PWPIPE_TEST_PEERS") == "" {
		t.Skip("set PWPIPE_TEST_PEERS=1 to fetch Chrome DevTools MCP with npm")
	}
	site := servePerf(t)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	peer, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: pipetest.Peer(t, pipetest.DevToolsMCP,
		pipetest.DevToolsMCPFile, "--executablePath", pipetest.Installed(t).Executable, "--headless", "--isolated",
		"--viewport=1280x720", "--chromeArg=--no-sandbox", "--chromeArg=--disable-gpu",
		"--no-usage-statistics", "--no-performance-crux")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	use := func(tool string, args map[string]any) string {
		t.Helper()
		r, err := peer.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(r.Content[0])
		return pipetest.Decode[struct{ Text string }](t, string(raw)).Text
	}
	p, dir := startIn(t)
	use("list_pages", map[string]any{})
	use("navigate_page", map[string]any{"pageId": 1, "url": site})
	p.Call("nav", []string{site})
	got := map[string][3][]float64{}
	for range runs {
		theirs := use("performance_start_trace", map[string]any{"pageId": 1, "reload": true, "autoStop": true})
		p.Call("perf-trace-start", nil)
		p.Call("reload", nil)
		p.Call("expect-title", []string{"done"})
		v := pipetest.Get[vitals](p, "vitals", nil)
		ours := pipetest.Decode[string](t, p.Call("perf-trace-stop", []string{filepath.Join(dir, "trace.json")}))
		for _, f := range phases {
			list := got[f.name]
			list[0] = append(list[0], figure(t, theirs, f.theirs))
			list[1] = append(list[1], figure(t, ours, f.trace))
			if f.ofVitals != nil {
				list[2] = append(list[2], f.ofVitals(v))
			}
			got[f.name] = list
		}
	}
	var b strings.Builder
	b.WriteString("\n| figure | Chrome DevTools MCP | `perf-trace-stop` | `vitals` |\n|---|---|---|---|\n")
	for _, f := range phases {
		row := "| " + f.name
		for _, list := range got[f.name] {
			row += " | " + median(f.name, list)
		}
		t.Log(row, got[f.name])
		b.WriteString(row + " |\n")
		theirs, ours := middle(got[f.name][0]), middle(got[f.name][1])
		apart := max(theirs, ours) > 1.5*min(theirs, ours)+100 // a long task comes before the painting, or after it
		if f.name == "CLS" {
			apart = math.Abs(theirs-ours) > 0.01
		}
		if apart {
			t.Errorf("%s: theirs %v, ours %v", f.name, theirs, ours)
		}
	}
	if pipetest.Update() {
		pipetest.GoldenSection(t, "../../docs/peers.md", "figures", b.String())
	}
}

func middle(list []float64) float64 {
	slices.SortFunc(list, cmp.Compare[float64])
	return list[len(list)/2]
}

// median is the middle of a list as a cell of the table.
func median(name string, list []float64) string {
	switch {
	case len(list) == 0:
		return "-"
	case regexp.MustCompile("ms$").MatchString(name):
		return fmt.Sprintf("%.0f", middle(list))
	}
	return fmt.Sprintf("%.2f", middle(list))
}
