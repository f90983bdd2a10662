//go:build evidence && unix

package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// BenchmarkCommands compares the time of a command, the whole process, with the same call on
// a warm pipe, in turns: go test ./tests/shell -run '^$' -bench Commands -benchtime 60x.
func BenchmarkCommands(b *testing.B) {
	site := pipetest.Site(b)
	d, p := newDesk(b), pipetest.Start(b)
	d.ok("pwpipe open -q " + site + "/form")
	p.Call("nav", []any{site + "/form"})
	exe := d.run + "/bin/pwpipe"
	run := func(words ...string) time.Duration {
		cmd := exec.Command(exe, words...)
		cmd.Env, cmd.Dir = d.command("").Env, d.dir
		begin := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatal(err, string(out))
		}
		return time.Since(begin)
	}
	median := func(list []time.Duration) float64 {
		slices.Sort(list)
		return float64(list[len(list)/2].Microseconds()) / 1000
	}
	for _, words := range [][]string{{"txt", "h1"}, {"click", "h1"}, {"snapshot"}, {"nav", site + "/form"}} {
		b.Run(words[0], func(b *testing.B) {
			var command, pipe []time.Duration
			for range b.N {
				command = append(command, run(words...))
				begin := time.Now()
				p.Call(words[0], words[1:])
				if words[0] == "nav" { // the command also shows the outline
					p.Call("snapshot", nil)
				}
				pipe = append(pipe, time.Since(begin))
			}
			b.ReportMetric(median(command), "command-ms")
			b.ReportMetric(median(pipe), "pipe-ms")
			b.ReportMetric(median(command)-median(pipe), "over-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Logf("PSS of the service process: %.1f MiB; of all its processes %.1f MiB",
		pipetest.PSS(d.service()), func() (all float64) {
			all = pipetest.PSS(d.service())
			for pid, name := range pipetest.Descendants(b, d.service()) {
				if !strings.Contains(name, "defunct") {
					all += pipetest.PSS(pid)
				}
			}
			return all
		}())
}
