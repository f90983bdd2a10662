//go:build evidence && unix

package shell

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// peer is a program whose commands are timed.
type peer struct {
	name    string
	program []string
	env     []string
	// The timed command lines, and those before and after them.
	commands   map[string][]string
	begin, end []string
}

// newPeers are pwpipe and the programs at the paths AGENT_BROWSER and PLAYWRIGHT_CLI. All
// drive the same Chromium.
func newPeers(b *testing.B, d *desk, site string) []peer {
	b.Helper()
	chromium := ""
	for line := range strings.Lines(d.ok("pwpipe doctor || true")) {
		if words := strings.Fields(line); len(words) > 4 && words[0] == "browser" {
			chromium = strings.TrimSuffix(words[4], ",")
		}
	}
	form := site + "/form"
	list := []peer{{name: "pwpipe", program: []string{installed(b, d, pipetest.Binary(b))},
		commands: map[string][]string{"txt": {"txt", "h1"}, "click": {"click", "h1"}, "snapshot": {"snapshot"},
			"acting-click": {"click", "#terms"}, "quiet-click": {"click", "h1", "-q"}, "open": {"open", form}, "quiet-open": {"open", form, "-q"}},
		begin: []string{"open", form}, end: []string{"close"}}}
	if path := os.Getenv("AGENT_BROWSER"); path != "" {
		list = append(list, peer{name: "agent-browser", program: []string{installed(b, d, path)},
			env: []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + chromium, "AGENT_BROWSER_ARGS=--no-sandbox"},
			commands: map[string][]string{"txt": {"get", "text", "h1"}, "click": {"click", "h1"}, "snapshot": {"snapshot"},
				"acting-click": {"click", "#terms"}, "quiet-click": {"click", "h1"}, "open": {"open", form}, "quiet-open": {"open", form}},
			begin: []string{"open", form}, end: []string{"close"}})
	}
	if path := os.Getenv("PLAYWRIGHT_CLI"); path != "" {
		config := filepath.Join(d.dir, "cli.json")
		text, err := json.Marshal(map[string]any{"browser": map[string]any{"browserName": "chromium",
			"launchOptions": map[string]any{"executablePath": chromium, "headless": true, "chromiumSandbox": false}}})
		if err == nil {
			err = os.WriteFile(config, text, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, peer{name: "playwright-cli", program: []string{"node", path},
			env: []string{"HOME=" + d.run}, // a path short enough for its socket
			commands: map[string][]string{"txt": {"eval", "() => document.querySelector('h1').textContent"},
				"click": {"click", "h1"}, "snapshot": {"snapshot"}, "open": {"goto", form}},
			begin: []string{"open", "--config", config, form}, end: []string{"close"}})
	}
	return list
}

// installed is a copy of a program, written in pieces of 64 KiB. How a file was written
// decides in which pieces the kernel keeps it, and so how long a start takes. What Go's linker
// has just written costs half a millisecond more than a copy, and no user starts that.
func installed(b *testing.B, d *desk, program string) string {
	b.Helper()
	from, err := os.Open(program)
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(d.run, filepath.Base(program)+"-installed")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		b.Fatal(err)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 64<<10))
	if err = errors.Join(err, to.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// run runs a command line and returns the time of the whole process.
func (p peer) run(d *desk, words []string) (time.Duration, error) {
	cmd := exec.Command(p.program[0], append(slices.Clone(p.program[1:]), words...)...)
	cmd.Env, cmd.Dir = append(d.command("").Env, p.env...), d.dir
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Logf("%s %v: %v, %.300s", p.name, words, err, out)
	}
	return time.Since(begin), err
}

// BenchmarkPeers compares the times of whole processes, in turns:
//
//	AGENT_BROWSER=… PLAYWRIGHT_CLI=… go test ./tests/shell -run '^$' -bench Peers -benchtime 60x
func BenchmarkPeers(b *testing.B) {
	d := newDesk(b)
	peers := newPeers(b, d, pipetest.Site(b))
	for _, p := range peers {
		if _, err := p.run(d, p.begin); err != nil {
			b.Fatal(err)
		}
		defer p.run(d, p.end)
	}
	for _, what := range []string{"txt", "click", "acting-click", "quiet-click", "snapshot", "open", "quiet-open"} {
		b.Run(what, func(b *testing.B) {
			times := make([][]float64, len(peers))
			for range b.N {
				for i, p := range peers {
					if p.commands[what] == nil {
						continue
					}
					took, err := p.run(d, p.commands[what])
					if err != nil {
						b.Fatal(err)
					}
					times[i] = append(times[i], float64(took.Microseconds())/1000)
				}
			}
			for i, p := range peers {
				if slices.Sort(times[i]); len(times[i]) > 0 {
					b.ReportMetric(times[i][len(times[i])/2], p.name+"-ms")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
