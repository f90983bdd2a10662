package service_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// driversOf are the drivers of a service.
func driversOf(t *testing.T, svc *pipetest.Service) []int {
	return pipetest.Processes(t, svc.PID(), "run-driver", "")
}

// sharing opens a session in each of n browsers, on the page /form.
func sharing(svc *pipetest.Service, n int) (list []pipetest.Session) {
	for range n {
		s := svc.Open(nil)
		s.On("page.goto", m{"url": "/form"})
		list = append(list, s)
	}
	return list
}

// TestDriverServesBrowsers: browsers share drivers, as many as --drivers says. A driver's
// end ends the sessions of its browsers, and no others; they go on in browsers on a new
// driver.
func TestDriverServesBrowsers(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--browsers=4", "--drivers=2")
	all := sharing(svc, 4)
	drivers := driversOf(t, svc)
	if got := len(browsersOf(t, svc)); got != 4 || len(drivers) != 2 {
		t.Fatalf("%d browsers on %d drivers, want 4 on 2", got, len(drivers))
	}
	kill(t, drivers[0])
	pipetest.Eventually(t, "its browsers are gone", func() bool { return svc.Metric(`pwpipe_browsers{state="down"}`) == "2" })
	kept, told := 0, 0
	for _, s := range all {
		switch said := s.Said("url", s.With(nil)); {
		case said == `"`+svc.Site+`/form"`:
			kept++
		case strings.Contains(said, "the Playwright driver died"):
			told++
		default:
			t.Errorf("a session answers %s", said)
		}
	}
	if kept != 2 || told != 2 {
		t.Errorf("of 4 sessions %d have kept their pages and %d report the loss, want 2 and 2", kept, told)
	}
	for _, s := range all {
		s.On("page.goto", m{"url": "/login"})
	}
	now := driversOf(t, svc)
	if len(now) != 2 || slices.Contains(now, drivers[0]) || !slices.Contains(now, drivers[1]) {
		t.Errorf("drivers %v, %v before the end of the first", now, drivers)
	}
}

// TestBrowserEndsAlone: the end of a browser does not affect another on its driver, and a
// new one comes up there.
func TestBrowserEndsAlone(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	temp := t.TempDir()
	svc := pipetest.StartService(t, "--browsers=2", "--session-ttl-ms=600000", "TMPDIR="+temp)
	a := sharing(svc, 1)[0]
	first := browsersOf(t, svc)
	b := sharing(svc, 1)[0]
	second := added(t, svc, first)
	driver := driversOf(t, svc)
	folders := func() int {
		list, _ := filepath.Glob(filepath.Join(temp, "pwpipe-run-*", "b[0-9]*"))
		return len(list)
	}
	kill(t, second)
	pipetest.Eventually(t, "it is gone", func() bool { return svc.Metric(`pwpipe_browsers{state="down"}`) == "1" })
	if said := b.Said("url", b.With(nil)); !strings.Contains(said, "the browser died") {
		t.Errorf("its session is told %s", said)
	}
	b.On("page.goto", m{"url": "/login"})
	if got := a.On("url", nil); got != `"`+svc.Site+`/form"` {
		t.Errorf("the other session is at %s", got)
	}
	if got := driversOf(t, svc); !slices.Equal(got, driver) {
		t.Errorf("drivers %v, %v before", got, driver)
	}
	pipetest.Eventually(t, "the ended browser leaves no folder", func() bool { return folders() == 2 })
}
