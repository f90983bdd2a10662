//go:build evidence && unix

package playwrightmcp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// pace holds the calls whose time is compared, in the order in which a round makes them.
var pace = []struct {
	tool string
	args map[string]any
}{
	{"browser_navigate", map[string]any{"url": "SITE/form"}},
	{"browser_snapshot", map[string]any{}},
	{"browser_click", map[string]any{"target": "#count", "element": "a button"}},
	{"browser_type", map[string]any{"target": "#name", "element": "a field", "text": "Ada Albers"}},
	{"browser_evaluate", map[string]any{"function": "() => document.title"}},
	{"browser_take_screenshot", map[string]any{}},
}

// BenchmarkBesidePlaywrightMCP makes the same calls on Playwright MCP and on `pwpipe mcp`, turn by
// turn, each over stdio and on the same browser. With -update it writes the medians into
// docs/playwright-mcp.md.
func BenchmarkBesidePlaywrightMCP(b *testing.B) {
	if os.Getenv("PWPIPE_TEST_PEERS") == "" {
		b.Skip("PWPIPE_TEST_PEERS is not set: it fetches Playwright MCP")
	}
	site, browser := pipetest.Site(b), pipetest.Installed(b).Executable
	cli := filepath.Join(pipetest.NPM(b, modules...), "playwright-core", "lib", "entry", "mcp.js")
	servers := []*mcp.ClientSession{
		connected(b, exec.Command("node", cli, "--headless", "--isolated", "--no-sandbox", "--executable-path", browser)),
		connected(b, exec.Command(pipetest.Binary(b), "mcp", "--headless", "--isolated")),
	}
	times := make([][2][]time.Duration, len(pace))
	for range b.N {
		for i, p := range pace {
			args := map[string]any{}
			for key, value := range p.args {
				args[key] = value
				if text, ok := value.(string); ok {
					args[key] = strings.Replace(text, "SITE", site, 1)
				}
			}
			for n, s := range servers {
				begin := time.Now()
				result, err := s.CallTool(b.Context(), &mcp.CallToolParams{Name: p.tool, Arguments: args})
				times[i][n] = append(times[i][n], time.Since(begin))
				if err != nil || result.IsError {
					b.Fatalf("%s on server %d: %v, %+v", p.tool, n, err, result)
				}
			}
		}
	}
	table := "| call | Playwright MCP, ms | pwpipe mcp, ms | share |\n|---|---:|---:|---:|\n"
	for i, p := range pace {
		theirs, ours := median(times[i][0]), median(times[i][1])
		table += fmt.Sprintf("| `%s` | %.1f | %.1f | %.2f |\n", p.tool, theirs, ours, ours/theirs)
		b.ReportMetric(ours/theirs, p.tool+"-share")
	}
	b.ReportMetric(0, "ns/op")
	if pipetest.Update() && b.N > 1 {
		pipetest.GoldenSection(b, documentFile, "pace", "\n"+table+"\n"+pipetest.Stamp+"\n")
	}
}

func connected(b *testing.B, cmd *exec.Cmd) *mcp.ClientSession {
	b.Helper()
	cmd.Dir = b.TempDir()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "pace", Version: "1"}, nil).
		Connect(b.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func median(list []time.Duration) (ms float64) {
	slices.Sort(list)
	return float64(list[len(list)/2].Microseconds()) / 1000
}
