package service_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
	"pwpipe/provider"
)

// rawList is the list of tools as on the wire.
func rawList(t *testing.T, c pipetest.MCP) string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}`
	_, text, _ := c.Do("POST", "/mcp", body, "Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
	_, text, _ = strings.Cut(text, `{"jsonrpc"`)
	var a struct {
		Result struct{ Tools json.RawMessage }
	}
	if err := json.NewDecoder(strings.NewReader(`{"jsonrpc"` + text)).Decode(&a); err != nil || len(a.Result.Tools) < 10 {
		t.Fatalf("%v: %.300s", err, text)
	}
	return string(a.Result.Tools)
}

// TestTokensOfLists: docs/service.md states the cost of lists with the argument
// session, README.md without it. A new argument, title or schema shows here.
func TestTokensOfLists(t *testing.T) {
	t.Parallel()
	said := "With `session`"
	for i, svc := range []*pipetest.Service{outside(t), pipetest.SharedService(t)} {
		profile := []string{"agent", provider.DefaultProfile}[i]
		list := rawList(t, pipetest.MCP{Service: svc, Name: "t"})
		n, err := tokens.Count(list)
		if err != nil {
			t.Fatal(err)
		}
		said += fmt.Sprintf("%s the list of profile `%s` costs a model %d tokens (o200k)", []string{"", ","}[i], profile, n)
	}
	pipetest.GoldenSection(t, "../../docs/service.md", "tokens", said+".")
}
