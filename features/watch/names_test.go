package watch_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestOwners: a session's owner is the MCP client's own name, over every transport, and
// contains no key and no id.
func TestOwners(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestService is quick")
	t.Parallel()
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator)
	s.Open(m{"name": "The shop"})
	pipetest.MCP{Service: s, Name: "robot"}.Use("nav", m{"url": "/form"})
	json := []string{"Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 2025-06-18", "X-Pwpipe-Caller: 6.6.6.6, forged"}
	_, _, head := s.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"elder <b>robot</b>","version":"1"}}}`, json...)
	json = append(json, "Mcp-Session-Id: "+head.Get("Mcp-Session-Id"))
	s.Do("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, json...)
	_, text, _ := s.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nav","arguments":{"url":"/form"}}}`, json...)
	pipetest.Has(t, text, `"result"`)
	p := person{pipetest.Shared(t), s.URL}
	p.login(operator)
	p.until("document.querySelectorAll('#sessions a').length === 3")
	shown := p.Text("txt", m{"sel": "#sessions"})
	pipetest.Has(t, shown, "The shop", "127.0.0.1, robot", "127.0.0.1, elder <b>robot</b>")
	if strings.Contains(shown, pipetest.Key) || strings.Contains(shown, "6.6.6.6") || strings.Contains(shown, head.Get("Mcp-Session-Id")) {
		t.Errorf("%s", shown)
	}
}
