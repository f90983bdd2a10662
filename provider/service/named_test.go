package service_test

import (
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestNamedService: ids name their service, and a request can name its session where a
// balancer sees it. A request sent to the wrong service gets an error that says so.
func TestNamedService(t *testing.T) {
	t.Parallel()
	svc := outside(t)
	s := svc.Open(nil)
	if !strings.HasPrefix(s.ID, "s_pw-0_") {
		t.Errorf("a session is called %s", s.ID)
	}
	s.On("page.goto", m{"url": "/form"})
	const ask = `{"jsonrpc":"2.0","id":1,"method":"url"}`
	at := svc.Site + "/form"
	for _, by := range [][]string{{"/rpc?session_id=" + s.ID}, {"/rpc", "X-Session-Id: " + s.ID}} {
		_, text, _ := svc.Do("POST", by[0], ask, by[1:]...)
		pipetest.Has(t, text, at)
		_, text, _ = svc.Do("POST", by[0], "["+ask+"]", by[1:]...)
		pipetest.Has(t, text, at)
		ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(svc.URL, "http")+strings.Replace(by[0], "/rpc", "/ws", 1), header(svc, by[1:]))
		if err != nil {
			t.Fatal(err)
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
	if _, text, _ := svc.Do("POST", "/rpc", ask); !strings.Contains(text, `missing parameter \"session_id\"`) {
		t.Errorf("without a session: %s", text)
	}
	other := pipetest.Session{Service: svc, ID: "s_pw-1_ad6fa7d4-5073-4178-b356-a82b2ed0d8ae"}
	said := other.Refuse(-32002, "url", nil)
	pipetest.Has(t, said, "session s_pw-1_ad6fa7d4… does not belong to this service, pw-0, but to pw-1", "session.create opens another", "x-session-id")
	pipetest.Lacks(t, said, other.ID)
	pipetest.Has(t, s.On("session.cdp", nil), `"wss://browsers.example.com/cdp/`+s.ID+`/devtools/browser/`+s.ID+`"`)
	_, _, head := svc.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		"Accept: application/json, text/event-stream", "X-Forwarded-For: 203.0.113.7")
	if id := head.Get("Mcp-Session-Id"); !strings.HasPrefix(id, "m_pw-0_") {
		t.Errorf("an MCP session is called %q", id)
	}
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

// TestNamesThatCanNotBe: invalid names are refused at the start.
func TestNamesThatCanNotBe(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"--name=a_b":                  "--name: expected at most 63 letters, digits and hyphens",
		"--public-url=example.com":    "--public-url: expected http://host or https://host",
		"--trusted-proxies=10.0.0/8":  `--trusted-proxies: expected an address or a network such as 10.0.0.0/8, got "10.0.0/8"`,
		"--drain=1s":                  "--drain needs the service's OPERATOR_KEY",
		"--public-url=http://a:b@c/d": "--public-url: expected",
	} {
		if _, said, status := pipetest.Run(t, "", "serve", "--addr", "127.0.0.1:0", flag); status == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, %s", flag, status, said)
		}
	}
}
