//go:build unix

package service_test

import (
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFrozenBrowser: a frozen browser delays only calls of its own sessions. They get
// an error, and go on in another browser. A new session that would go there opens
// elsewhere.
func TestFrozenBrowser(t *testing.T) {
	pipetest.InCIAndRace(t, "it waits for what hangs")
	t.Parallel()
	svc := pipetest.StartService(t, "--browsers=2")
	a := svc.Open(nil)
	first := []int{added(t, svc, nil)}
	b := svc.Open(nil)
	frozen := added(t, svc, first) // health checks do not ask this one
	for _, s := range []pipetest.Session{a, b} {
		s.On("page.goto", m{"url": "/form"})
	}
	if err := syscall.Kill(frozen, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 1)
	go func() { told <- b.Said("page.reload", b.With(nil)) }()
	if got := a.On("title", nil); got != `"Form | Skerry"` {
		t.Errorf("the other session answers %s", got)
	}
	select {
	case said := <-told:
		t.Errorf("the frozen session's call did not wait: %s", said)
	default:
	}
	svc.Open(nil) // it opens in the first, so the next starts in the other
	waits := make(chan pipetest.RPCReply, 1)
	go func() { waits <- svc.Try("session.create", nil) }()
	for range 20 {
		if got := a.On("title", nil); got != `"Form | Skerry"` {
			t.Errorf("the other session answers %s", got)
		}
	}
	if r := <-waits; r.Error != nil {
		t.Errorf("who opens a session there is told %+v", *r.Error)
	}
	if said := <-told; !strings.Contains(said, "the browser or its driver hung and was ended while the request ran; the next request gets a fresh browser") {
		t.Errorf("the frozen session is told %s", said)
	}
	b.On("page.goto", m{"url": "/login"})
	if got := a.On("url", nil); got != `"`+svc.Site+`/form"` {
		t.Errorf("the other session is at %s", got)
	}
	pipetest.Eventually(t, "the frozen browser is gone", func() bool { return syscall.Kill(frozen, 0) != nil })
	if n := svc.Metric("pwpipe_browser_restarts_total"); n != "1" {
		t.Errorf("%s browsers were started anew", n)
	}
}

// TestFrozenRenderer: a page with a frozen renderer is given up once a navigation has
// timed out, and the session gets another.
func TestFrozenRenderer(t *testing.T) {
	pipetest.InCI(t, "it waits for what hangs")
	t.Parallel()
	svc := pipetest.StartService(t)
	a, b := svc.Open(nil), svc.Open(nil)
	for _, s := range []pipetest.Session{a, b} {
		s.On("page.goto", m{"url": "/form"})
	}
	for _, pid := range pipetest.Processes(t, svc.PID(), "--type=renderer", "") {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []pipetest.Session{a, b} {
		if said := s.Said("page.goto", s.With(m{"url": "/login", "timeout": 1000})); !strings.Contains(said, "did not end within 1 s") {
			t.Errorf("the frozen page is told %s", said)
		}
		if said := s.Said("page.goto", s.With(m{"url": "/login", "timeout": 60000})); !strings.Contains(said, "/login") || strings.Contains(said, "within") {
			s.On("page.goto", m{"url": "/login"}) // it may report once that the page hung
			if !strings.Contains(said, "hung") {
				t.Errorf("and then %s", said)
			}
		}
	}
}
