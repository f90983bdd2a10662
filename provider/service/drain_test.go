package service_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDrain: the operator's key can drain the service. Open sessions go on, no new ones
// start, and the service reports when it is empty.
func TestDrain(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--operator-key=op", "MAX_CONTEXTS=1")
	s := svc.Open(nil)
	waits := wait(t, svc)
	for _, key := range []string{pipetest.Key, "", "other"} {
		if status, text, _ := svc.Do("POST", "/drain", "", "X-Api-Key: "+key); status != 401 {
			t.Errorf("with the key %q: %d %s", key, status, text)
		}
	}
	if status, _, _ := svc.Do("GET", "/metrics", "", "X-Api-Key: op"); status != 401 {
		t.Errorf("the operator's key opened what is for clients: %d", status)
	}
	drain := func(want string) {
		t.Helper()
		if status, text, _ := svc.Do("GET", "/drain", "", "X-Api-Key: op"); status != 200 || text != want {
			t.Errorf("%d %s", status, text)
		}
	}
	if status, text, _ := svc.Do("POST", "/drain?wait=soon", "", "X-Api-Key: op"); status != 400 || !strings.Contains(text, "expected a time such as 30s") {
		t.Errorf("%d %s", status, text)
	}
	if got := svc.Metric("pwpipe_draining"); got != "0" {
		t.Errorf("draining: %s", got)
	}
	drain(`{"draining":false,"sessions":1,"calls":1,"empty":false}`)
	if status, text, _ := svc.Do("POST", "/drain", "", "X-Api-Key: op"); status != 200 || !strings.HasPrefix(text, `{"draining":true,"sessions":1,`) {
		t.Errorf("%d %s", status, text)
	}
	if r := <-waits; r.Error == nil || r.Error.Data.Kind != "unavailable" {
		t.Errorf("who waited has %+v", r)
	}
	if r := svc.Try("session.create", m{}); r.Error == nil || r.Error.Data.Kind != "unavailable" {
		t.Errorf("a session was opened: %+v", r)
	}
	if status, text, _ := svc.Do("GET", "/readyz", ""); status != 503 || !strings.Contains(text, "being drained") {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := svc.Do("GET", "/healthz", ""); status != 200 {
		t.Errorf("it is to be restarted: %d", status)
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
	plain := pipetest.SharedService(t)
	if status, _, _ := plain.Do("POST", "/drain", ""); status != 404 {
		t.Errorf("without an operator's key: %d", status)
	}
}
