package service_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// wait makes a client wait for a session.
func wait(t *testing.T, svc *pipetest.Service) <-chan pipetest.RPCReply {
	t.Helper()
	n, _ := strconv.Atoi(svc.Metric("pwpipe_sessions_waiting"))
	got := make(chan pipetest.RPCReply, 1)
	go func() { got <- svc.Try("session.create", m{}) }()
	pipetest.Eventually(t, "a client waits for a session", func() bool { return svc.Metric("pwpipe_sessions_waiting") == strconv.Itoa(n+1) })
	return got
}

// TestSessionsAreWaitedFor: a session waits for a free place, then opens. The metrics
// show it.
func TestSessionsAreWaitedFor(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=2")
	a, b := svc.Open(nil), svc.Open(nil)
	first := wait(t, svc)
	second := wait(t, svc)
	for name, want := range map[string]string{"pwpipe_sessions_capacity": "2", "pwpipe_sessions_open": "2", "pwpipe_sessions_opened_total": "2",
		`pwpipe_browsers{state="up"}`: "1", `pwpipe_browsers{state="down"}`: "0"} {
		if got := svc.Metric(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if waited, _ := strconv.ParseFloat(svc.Metric("pwpipe_sessions_oldest_wait_seconds"), 64); waited <= 0 {
		t.Errorf("the first has waited %v s", waited)
	}
	a.On("session.close", nil)
	if r := <-first; r.Error != nil {
		t.Fatal(r.Error)
	}
	select {
	case r := <-second:
		t.Fatalf("a session too many: %+v", r)
	default:
	}
	b.On("session.close", nil)
	if r := <-second; r.Error != nil {
		t.Fatal(r.Error)
	}
	if got := svc.Metric("pwpipe_sessions_opened_total"); got != "4" || svc.Metric("pwpipe_sessions_waiting") != "0" {
		t.Errorf("%s sessions were opened", got)
	}
}

// TestNoRoomInTime: a client that has waited long enough gets an error that says when
// to try again.
func TestNoRoomInTime(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSessionsAreWaitedFor is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=1", "--queue-timeout=200ms")
	svc.Open(nil)
	r := svc.Try("session.create", m{})
	if r.Error == nil {
		t.Fatalf("a session too many: %s", r.Result)
	}
	if r.Error.Code != -32006 || !strings.Contains(r.Error.Message, "all 1 sessions are open, and none was closed in ") || r.Error.Data.RetryAfter < 1 {
		t.Errorf("%+v", r.Error)
	}
	status, text, head := svc.Do("POST", "/tools/session.create", "{}")
	seconds, err := strconv.Atoi(head.Get("Retry-After"))
	if status != 429 || err != nil || seconds < 1 || seconds > 120 {
		t.Errorf("%d, Retry-After %q: %s", status, head.Get("Retry-After"), text)
	}
	if got := svc.Metric("pwpipe_sessions_waiting"); got != "0" {
		t.Errorf("%s wait", got)
	}
}

// TestNobodyWaitsForTheEnd: when the service stops, clients that wait for a session get
// an error, and do not delay it.
func TestNobodyWaitsForTheEnd(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=1", "--queue-timeout=10m", "--stop-timeout=10m")
	svc.Open(nil)
	waits := wait(t, svc)
	svc.Signal(os.Interrupt)
	if r := <-waits; r.Error == nil || !strings.Contains(r.Error.Message, "the service is stopping") {
		t.Errorf("%+v", r)
	}
}
