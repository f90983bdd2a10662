package service_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDrain: who waits for a session when the service is drained is refused, and who waits until
// it is empty is told. The transcript "door" has the rest.
func TestDrain(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--operator-key=op", "MAX_CONTEXTS=1")
	s := svc.Open(nil)
	waits := wait(t, svc)
	if status, text, _ := svc.Do("POST", "/drain", "", "X-Api-Key: op"); status != 200 || !strings.HasPrefix(text, `{"draining":true,"sessions":1,`) {
		t.Errorf("%d %s", status, text)
	}
	if r := <-waits; r.Error == nil || r.Error.Data.Kind != "unavailable" {
		t.Errorf("who waited has %+v", r)
	}
	s.On("page.goto", m{"url": "/form"})
	empty := make(chan string, 1)
	go func() {
		_, text, _ := svc.Do("POST", "/drain?wait=60s", "", "X-Api-Key: op")
		empty <- strings.TrimSpace(text)
	}()
	s.On("session.close", nil)
	if got := <-empty; got != `{"draining":true,"sessions":0,"calls":0,"empty":true}` {
		t.Error(got)
	}
	pipetest.Eventually(t, "it is logged", func() bool { return strings.Contains(svc.Log(), `"msg":"drained"`) })
}
