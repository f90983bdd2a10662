package service_test

import (
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestNamedService: a socket can name its session where a balancer sees it. The transcript "door"
// has requests.
func TestNamedService(t *testing.T) {
	t.Parallel()
	svc := outside(t)
	s := svc.Open(nil)
	s.On("page.goto", m{"url": "/form"})
	const ask = `{"jsonrpc":"2.0","id":1,"method":"url"}`
	at := svc.Site + "/form"
	for _, by := range [][]string{{"/rpc?session_id=" + s.ID}, {"/rpc", "X-Session-Id: " + s.ID}} {
		ws, answer, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(svc.URL, "http")+strings.Replace(by[0], "/rpc", "/ws", 1), header(svc, by[1:]))
		if err != nil {
			t.Fatal(err)
		}
		if h := answer.Header; h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("the answer is not sealed: %v", h)
		}
		for _, text := range []string{ask, "[" + ask + "]"} { // through the Conn, and past it
			if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
				t.Fatal(err)
			}
			_, got, err := ws.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			pipetest.Has(t, string(got), at)
		}
		_ = ws.Close()
	}
	svc.Do("GET", "/openrpc.json", "", "X-Forwarded-For: 203.0.113.7")
	pipetest.Eventually(t, "it is logged who asked the proxy", func() bool { return strings.Contains(svc.Log(), `"remote":"203.0.113.7"`) })
}

func header(svc *pipetest.Service, more []string) map[string][]string {
	head := map[string][]string{"X-Api-Key": {svc.Key}}
	for _, h := range more {
		name, value, _ := strings.Cut(h, ": ")
		head[name] = []string{value}
	}
	return head
}
