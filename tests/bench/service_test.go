//go:build evidence

package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

const (
	clients  = 64
	sessions = 8
)

// BenchmarkService makes calls from 64 clients on 8 sessions over HTTP. Each client repeats a
// nav, a fill, a click and seven reads. It prints calls per second, failures, processor time a
// call and the renderers' memory: of each of the services that -serve describes by their
// flags, and with -other of that program too, in turns.
func BenchmarkService(b *testing.B) {
	url := site(b)
	programs := map[string]string{"pwpipe": pipetest.Binary(b)}
	if *other != "" {
		programs["other"] = *other
	}
	var names []string
	taken := map[string]measures{}
	for _, program := range slices.Sorted(maps.Keys(programs)) {
		for flags := range strings.SplitSeq(*serve, ";") {
			name := strings.TrimSpace(program + " " + flags)
			names, taken[name] = append(names, name), measures{}
		}
	}
	for b.Loop() {
		for range *rounds {
			for _, name := range names {
				f := strings.Fields(name)
				taken[name].serviceRound(b, programs[f[0]], url, f[1:])
			}
		}
	}
	fmt.Printf("medians of %d rounds\n%s", *rounds, table(serviceRows, names, taken))
}

// serviceRows are the rows of its table, in order; processor time is in ms a call.
var serviceRows = []string{"calls a second", "failed", "all", "chromium", "renderer", "browser", "gpu-process", "node", "pwpipe",
	"renderers before, MiB PSS", "renderers after, MiB PSS"}

// script is what a client repeats.
func script(url string) []call {
	read := call{tool: "txt", sel: "#h"}
	return []call{{tool: "nav", url: url}, read, read, {tool: "fill", sel: "[name=email]", text: "me"}, {tool: "vis", sel: "#o"}, read,
		{tool: "click", sel: "[type=submit]"}, read, {tool: "title"}, read}
}

// serviceRound starts a service, runs the clients, and ends it.
func (m measures) serviceRound(t testing.TB, binary, url string, flags []string) {
	s := pipetest.StartServiceOf(t, binary, flags...)
	defer s.Stop()
	s.T = t
	var open []pipetest.Session
	for range sessions {
		open = append(open, s.Open(nil))
	}
	each := max(1, *calls/10)
	round(open, url, 1)
	note := func(kind string, v float64) { m[kind] = append(m[kind], v) }
	note("renderers before, MiB PSS", renderers(t, s.PID()))
	before, begin := processorTime(t, []int{s.PID()}), time.Now()
	failed := round(open, url, each)
	took, all := time.Since(begin).Seconds(), float64(clients*each*len(script(url)))
	used := processorTime(t, []int{s.PID()})
	used["all"] = used["chromium"] + used["node"] + used["pwpipe"]
	before["all"] = before["chromium"] + before["node"] + before["pwpipe"]
	for kind := range used {
		note(kind, (used[kind]-before[kind])/all)
	}
	note("calls a second", (all-float64(failed))/took)
	note("failed", float64(failed))
	note("renderers after, MiB PSS", renderers(t, s.PID()))
}

// round makes every client run its script some times, and counts the calls that fail.
func round(open []pipetest.Session, url string, times int) int64 {
	var all sync.WaitGroup
	var failed atomic.Int64
	for i := range clients {
		c := open[i%sessions]
		all.Go(func() {
			for range times {
				for _, k := range script(url) {
					if c.Try(k.tool, c.With(k.members())).Error != nil {
						failed.Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	return failed.Load()
}
