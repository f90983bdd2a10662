//go:build evidence

package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// pss is the memory of a process and its descendants without the browser, in
// MiB; shared memory is counted once (PSS). 0 if the system does not report it.
func pss(t testing.TB, pid int) float64 {
	return pipetest.PSS(pid) + below(t, pid, func(command string) bool { return !isBrowser(command) })
}

// isBrowser reports whether a command line is Chromium's. Chrome DevTools MCP calls its own
// process chrome-devtools-mcp.
func isBrowser(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	return strings.Contains(program, "chrom") && !strings.Contains(program, "devtools-mcp")
}

// renderers is the same for the browser's renderers below a process.
func renderers(t testing.TB, pid int) float64 {
	return below(t, pid, func(command string) bool { return strings.Contains(command, "--type=renderer") })
}

func below(t testing.TB, pid int, counts func(command string) bool) (mib float64) {
	for child, command := range pipetest.Descendants(t, pid) {
		if counts(command) {
			mib += pipetest.PSS(child)
		}
	}
	return mib
}

// BenchmarkBrowsers is the memory of a service and its drivers with one browser and with eight,
// on two drivers, eight and one, each with a session of one page, and what the end of a driver
// does: how many sessions fail, and how long a new one takes to have a browser.
func BenchmarkBrowsers(b *testing.B) {
	url := site(b)
	for b.Loop() {
		for _, c := range []struct{ n, drivers int }{{1, 0}, {8, 0}, {8, 8}, {8, 1}} {
			n := c.n
			s := pipetest.StartService(b, fmt.Sprintf("--browsers=%d", n), fmt.Sprintf("--drivers=%d", c.drivers), "--max-contexts=64")
			s.T = b
			var open []pipetest.Session
			for range n {
				open = append(open, s.Open(nil))
			}
			for range 5 {
				for _, c := range open {
					c.Try("nav", c.With(map[string]any{"url": url}))
					c.Try("click", c.With(map[string]any{"sel": "[type=submit]"}))
				}
			}
			drivers := pipetest.Processes(b, s.PID(), "run-driver", "")
			var used float64
			for _, pid := range drivers {
				used += pipetest.PSS(pid)
			}
			service := pipetest.PSS(s.PID())
			begin := time.Now()
			if p, err := os.FindProcess(drivers[0]); err != nil || p.Kill() != nil {
				b.Fatal("no driver")
			}
			failed := 0
			for _, c := range open {
				if c.Try("txt", c.With(map[string]any{"sel": "#h"})).Error != nil {
					failed++
				}
			}
			pipetest.Eventually(b, "another browser", func() bool {
				c := s.Open(nil)
				return c.Try("nav", c.With(map[string]any{"url": url})).Error == nil
			})
			fmt.Printf("%d browsers: service %.0f MiB, %d drivers %.0f MiB, all %.0f; a driver's end: %d of %d sessions fail, a new one after %.0f ms\n",
				n, service, len(drivers), used, service+used, failed, n, ms(time.Since(begin)))
			s.Stop()
		}
	}
}

// BenchmarkSessions is what a further session with a blank page costs the service and its
// driver; the browser's own part is not counted.
func BenchmarkSessions(b *testing.B) {
	const few, many = 5, 45
	for b.Loop() {
		s := pipetest.StartService(b, "--max-contexts=64")
		s.T = b
		open := func(n int) (service, driver float64) {
			for range n {
				c := s.Open(nil)
				if r := c.Try("nav", c.With(map[string]any{"url": "about:blank"})); r.Error != nil {
					b.Fatal(r.Error.Message)
				}
			}
			return pipetest.PSS(s.PID()), pipetest.PSS(pipetest.Processes(b, s.PID(), "run-driver", "")[0])
		}
		service, driver := open(few)
		after, drivers := open(many - few)
		fmt.Printf("a session: %.2f MiB of the service, %.2f of the driver\n", (after-service)/(many-few), (drivers-driver)/(many-few))
		s.Stop()
	}
}
