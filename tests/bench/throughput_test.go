//go:build evidence

package bench

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// crowd is a server with its sessions; several clients may share one.
type crowd struct {
	pids []int
	do   func(session int, c call, names map[string]string) error // names are a client's own
	stop func()
}

// BenchmarkThroughput has 1, 8 and 64 clients on at most 8 sessions repeat the work of
// BenchmarkService, with each server in turns. An MCP server has one session, so there are as
// many of them. Their clients take a snapshot after each navigation, because they name
// elements by it; it is not counted. A failed call is not repeated.
//
//	go test -tags evidence ./tests/bench -run '^$' -bench Throughput -benchtime 1x -servers pwpipe,playwright-mcp,devtools-mcp
func BenchmarkThroughput(b *testing.B) {
	url := site(b)
	pipetest.Binary(b)
	fmt.Println("| server | clients | calls a second | failed | ms of processor time a call: Chromium | Node | pwpipe |")
	for b.Loop() {
		for _, clients := range []int{1, 8, 64} {
			for _, name := range strings.Split(*servers, ",") {
				c := startCrowd(b, name, min(clients, sessions))
				each := max(2, *calls/clients)
				crowdRound(c, url, clients, 1)
				before, begin := processorTime(b, c.pids), time.Now()
				failed := crowdRound(c, url, clients, each)
				took, all := time.Since(begin).Seconds(), float64(clients*each*len(script(url)))
				used := processorTime(b, c.pids)
				for kind := range used {
					used[kind] = (used[kind] - before[kind]) / all
				}
				c.stop()
				fmt.Printf("| %s | %d | %.0f | %d of %.0f | %.1f | %.1f | %.1f |\n",
					name, clients, (all-float64(failed))/took, failed, all, used["chromium"], used["node"], used["pwpipe"])
			}
		}
	}
}

func startCrowd(t testing.TB, name string, n int) crowd {
	t.Helper()
	if name == "pwpipe" {
		s := pipetest.StartService(t)
		s.T = t
		var open []pipetest.Session
		for range n {
			open = append(open, s.Open(nil))
		}
		return crowd{[]int{s.PID()}, func(i int, c call, _ map[string]string) error {
			if r := open[i].Try(c.tool, open[i].With(c.members())); r.Error != nil {
				return errors.New(r.Error.Message)
			}
			return nil
		}, func() { s.Stop() }}
	}
	var list []*mcpServer
	var pids []int
	for range n {
		s, ok := start(t, name).(*mcpServer)
		if !ok {
			t.Fatalf("%s does not serve many clients", name)
		}
		list, pids = append(list, s), append(pids, s.pid())
	}
	return crowd{pids, func(i int, c call, names map[string]string) error {
		tool, args := list[i].call(c, names)
		_, err := list[i].try(t, tool, args)
		if err == nil && c.tool == "nav" {
			var outline string
			outline, err = list[i].try(t, list[i].snapshot, map[string]any{})
			list[i].learn(outline, names)
		}
		return err
	}, func() {
		for _, s := range list {
			s.stop()
		}
	}}
}

// crowdRound makes every client do its work some times, and counts the failures.
func crowdRound(c crowd, url string, clients, times int) int64 {
	var all sync.WaitGroup
	var failed atomic.Int64
	for i := range clients {
		all.Go(func() {
			names := map[string]string{}
			for range times {
				for _, k := range script(url) {
					if c.do(i%sessions, k, names) != nil {
						failed.Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	return failed.Load()
}

// processorTime is what servers and the processes below them have used, in ms by kind, and what
// parts of Chromium have.
func processorTime(t testing.TB, pids []int) map[string]float64 {
	const tick = 10 // ms, on Linux
	used := map[string]float64{}
	for _, pid := range pids {
		commands := map[int]string{pid: ""}
		maps.Copy(commands, pipetest.Descendants(t, pid))
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil {
			commands[pid] = strings.ReplaceAll(string(text), "\x00", " ")
		}
		for _, pid := range slices.Sorted(maps.Keys(commands)) {
			kind, part := "node", ""
			switch command := commands[pid]; {
			case isBrowser(command):
				kind, part = "chromium", "browser"
				if _, more, ok := strings.Cut(command, "--type="); ok {
					part, _, _ = strings.Cut(more, " ")
				}
			case strings.Contains(command, " serve --addr "): // whatever the program is called
				kind = "pwpipe"
			}
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			_, rest, _ := strings.Cut(string(text), ") ")
			if f := strings.Fields(rest); len(f) > 13 {
				user, _ := strconv.ParseFloat(f[11], 64)
				system, _ := strconv.ParseFloat(f[12], 64)
				used[kind] += (user + system) * tick
				used[part] += (user + system) * tick
			}
		}
	}
	return used
}
