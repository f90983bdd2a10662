package service_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// browsersOf are the main processes of a service's browsers.
func browsersOf(t *testing.T, svc *pipetest.Service) []int {
	var list []int
	for pid, cmd := range pipetest.Descendants(t, svc.PID()) {
		if strings.Contains(cmd, "--remote-debugging-pipe") && !strings.Contains(cmd, "--type=") {
			list = append(list, pid)
		}
	}
	return list
}

// kill kills a browser.
func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// added waits for one browser more than before, and returns it. A dropped early
// browser may take a moment to end.
func added(t *testing.T, svc *pipetest.Service, before []int) int {
	t.Helper()
	var came []int
	pipetest.Eventually(t, "one more browser", func() bool {
		came = slices.DeleteFunc(browsersOf(t, svc), func(pid int) bool { return slices.Contains(before, pid) })
		return len(came) == 1
	})
	return came[0]
}

// TestSeveralBrowsers: a session goes to the browser with the fewest. A browser's death
// does not affect the others' sessions. A browser without sessions ends.
func TestSeveralBrowsers(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	// A browser without sessions ends after the time after which an idle session does: the start of
	// another browser must not take so long.
	svc := pipetest.StartService(t, "--browsers=2", "--session-ttl-ms=30000")
	a := svc.Open(nil)
	first := []int{added(t, svc, nil)}
	b := svc.Open(nil)
	second := added(t, svc, first)
	c, d := svc.Open(nil), svc.Open(nil)
	all := []pipetest.Session{a, b, c, d}
	for _, s := range all {
		s.On("page.goto", m{"url": "/form"})
	}
	if up, opened := svc.Metric(`pwpipe_browsers{state="up"}`), svc.Metric("pwpipe_browser_contexts"); up != "2" || opened != "4" {
		t.Errorf("%s browsers, %s contexts", up, opened)
	}
	kill(t, second)
	pipetest.Eventually(t, "it is gone", func() bool { return svc.Metric(`pwpipe_browsers{state="down"}`) == "1" })
	kept, told := 0, 0
	for _, s := range all {
		switch said := s.Said("url", s.With(nil)); {
		case said == `"`+svc.Site+`/form"`:
			kept++
		case strings.Contains(said, "the browser died"):
			told++
		}
	}
	if kept != 2 || told != 2 {
		t.Errorf("of 4 sessions %d have kept their pages and %d report the loss, want 2 and 2", kept, told)
	}
	pipetest.Eventually(t, "its sessions go on in another", func() bool {
		return svc.Metric(`pwpipe_browsers{state="up"}`) == "2" && svc.Metric("pwpipe_browser_restarts_total") == "1"
	})
	for _, s := range all {
		s.On("session.close", nil)
	}
	pipetest.Eventually(t, "a browser without sessions ends, and the first is left", func() bool { return slices.Equal(browsersOf(t, svc), first) })
	if n := svc.Metric("pwpipe_browser_restarts_total"); n != "1" {
		t.Errorf("%s restarts are counted once it has ended", n)
	}
}

// TestIsolatedSessions: each session has its own browser, which ends with it.
func TestIsolatedSessions(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--isolate=session")
	pipetest.Eventually(t, "the service is ready", func() bool { status, _, _ := svc.Do("GET", "/readyz", ""); return status == 200 })
	none := []int{added(t, svc, nil)}
	a := svc.Open(nil)
	own := added(t, svc, none)
	b := svc.Open(nil)
	others := added(t, svc, []int{none[0], own})
	b.On("page.goto", m{"url": "/form"})
	kill(t, own)
	pipetest.Eventually(t, "the session has another browser", func() bool { return svc.Try("url", a.With(nil)).Error == nil })
	if got := b.On("url", nil); got != `"`+svc.Site+`/form"` {
		t.Errorf("the other session is at %s", got)
	}
	b.On("session.close", nil)
	if slices.Contains(browsersOf(t, svc), others) {
		t.Error("a closed session's browser is there")
	}
	a.On("session.close", nil)
	if got := browsersOf(t, svc); !slices.Equal(got, none) {
		t.Errorf("browsers %v are left, %v before", got, none)
	}
}

// TestBrowsersThatCanNotBe: impossible options are refused at the start.
func TestBrowsersThatCanNotBe(t *testing.T) {
	t.Parallel()
	for flags, want := range map[string]string{
		"--browsers 0":                            `--browsers: expected a number from 1, or auto, got "0"`,
		"--browsers many":                         `--browsers: expected a number from 1, or auto, got "many"`,
		"--drivers 2":                             "--drivers: expected a number from 0 to that of the browsers, 1, got 2",
		"--isolate session --drivers 1":           "others have a driver each",
		"--isolate all":                           `--isolate: expected session, got "all"`,
		"--isolate session --browsers 2":          "leave --browsers out",
		"--cdp 9222 --browsers 2":                 "to attach to several, give their addresses separated by commas",
		"--cdp 9222,9223":                         "the open tabs of several browsers can't be lent",
		"--cdp 9222,a/b --lend-tabs=false":        "a/b",
		"--ws ws://127.0.0.1:1 --isolate session": "to attach to several, give their addresses separated by commas",
	} {
		_, said, status := pipetest.Run(t, "", append([]string{"serve", "--addr", "127.0.0.1:0"}, strings.Fields(flags)...)...)
		if status == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, %s", flags, status, said)
		}
	}
}
