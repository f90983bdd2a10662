//go:build evidence && unix

package scale

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// maxGrowth limits the growth of a service and of its driver, in MiB.
const maxGrowth = 10

// TestSoak: a service in constant use, with sessions that come and go and one that
// stays, needs no more memory at the end than after the first sixth of the time.
// PWPIPE_TEST_SOAK is the duration, such as 30m; without it the test is skipped.
func TestSoak(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("PWPIPE_TEST_SOAK"))
	if err != nil {
		t.Skip("PWPIPE_TEST_SOAK=30m runs it for half an hour")
	}
	svc := pipetest.StartService(t)
	stays := svc.Open(nil)
	end := time.After(long)
	stop := make(chan struct{})
	var clients sync.WaitGroup
	rounds := make(chan int, 1<<20)
	for range 2 {
		clients.Go(func() {
			for tick := time.NewTicker(time.Second); ; <-tick.C {
				select {
				case <-stop:
					return
				default:
				}
				visit(stays)
				s := svc.Open(nil)
				visit(s)
				s.On("session.close", nil)
				rounds <- 1
			}
		})
	}
	driver := pipetest.Processes(t, svc.PID(), "run-driver", "")[0]
	var service, drivers []float64
	sample := time.NewTicker(long / 180)
	defer sample.Stop()
	for begin := time.Now(); ; {
		select {
		case <-sample.C:
			service, drivers = append(service, pipetest.PSS(svc.PID())), append(drivers, pipetest.PSS(driver))
			if n := len(service); n%6 == 0 {
				t.Logf("%6s %6d visits: service %5.1f MiB, driver %5.1f", time.Since(begin).Round(time.Second), 2*len(rounds), typical(service[n-6:]), typical(drivers[n-6:]))
			}
			continue
		case <-end:
		}
		break
	}
	close(stop)
	clients.Wait()
	for name, all := range map[string][]float64{"service": service, "driver": drivers} {
		first, last := typical(all[len(all)/6:len(all)/6+6]), typical(all[len(all)-6:])
		t.Logf("%s: %.1f MiB after a sixth of the time, %.1f at the end", name, first, last)
		if all[0] == 0 || last-first > maxGrowth {
			t.Errorf("the %s has grown by %.1f MiB", name, last-first)
		}
	}
}

// visit is one visit to a session.
func visit(s pipetest.Session) {
	for _, path := range []string{"/form", "/cart", "/login"} {
		s.On("page.goto", pipetest.Object{"url": path, "waitUntil": "load"})
		s.On("page.text", nil)
		s.On("snapshot", nil)
	}
	s.On("page.evaluate", pipetest.Object{"expression": "document.title"})
	s.Execute("return await page.title()", nil)
	s.On("screenshot", nil)
}

// typical is the median of some figures.
func typical(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}
