package service_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
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

// sessionsAreWaitedFor: in a new service for two, a session waits for a free place, then opens.
// The metrics show it.
func sessionsAreWaitedFor(t *testing.T, svc *pipetest.Service) {
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
	close := func(r pipetest.RPCReply) {
		var opened struct {
			ID string `json:"session_id"`
		}
		if r.Error != nil || json.Unmarshal(r.Result, &opened) != nil {
			t.Fatalf("%+v", r)
		}
		svc.Call("session.close", m{"session_id": opened.ID})
	}
	one := <-first
	select {
	case r := <-second:
		t.Fatalf("a session too many: %+v", r)
	default:
	}
	b.On("session.close", nil)
	close(one)
	close(<-second)
	if got := svc.Metric("pwpipe_sessions_opened_total"); got != "4" || svc.Metric("pwpipe_sessions_waiting") != "0" {
		t.Errorf("%s sessions were opened", got)
	}
}

// TestClientThatLeaves: a call ends with its client, and its session is free for the next.
func TestClientThatLeaves(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	s := svc.Open(nil)
	s.On("nav", m{"url": "/"})
	began := make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { began <- struct{}{} }))
	t.Cleanup(site.Close)
	body, err := json.Marshal(m{"jsonrpc": "2.0", "id": 1, "method": "eval", "params": s.With(m{"timeout": 3600,
		"code": "fetch('" + site.URL + "', {mode: 'no-cors'}).then(() => new Promise(() => {}))"})})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", svc.URL+"/rpc", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", svc.Key)
	go func() {
		<-began
		leave()
	}()
	if answer, err := http.DefaultClient.Do(r); err == nil {
		t.Fatalf("status %d before the client left", answer.StatusCode)
	}
	s.On("txt", m{"sel": "h1"})
}
