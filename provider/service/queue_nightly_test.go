//go:build evidence

package service_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNoRoomInTime: a client that has waited long enough gets an error that says when
// to try again.
func TestNoRoomInTime(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestGracefulStop is quick")
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
