//go:build evidence

package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerShared: with --shared-browser-context all clients have one context, which stays when a
// client goes, unless --isolated is given too.
func TestPeerShared(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	page := map[string]any{"url": "data:text/html,<title>Ours</title><button onclick=\"document.title='Clicked'\">Go"}
	list := map[string]any{"action": "list"}
	base := servePeer(t, "--shared-browser-context")
	first := connectAt(t, "one", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"})
	second := connectAt(t, "two", &mcp.SSEClientTransport{Endpoint: base + "/sse"})
	callTool(t, first, "browser_navigate", page)
	for _, c := range []struct {
		tool, want string
		args       map[string]any
	}{
		{"browser_tabs", "(current) [Ours]", list},
		{"browser_close", "### Error\nError: other clients share the browser context", nil},
		{"browser_click", "- Page Title: Clicked", map[string]any{"target": "button"}},
	} {
		got, _ := callTool(t, second, c.tool, c.args)
		pipetest.Has(t, got, c.want)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	third := connectAt(t, "three", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"})
	for name, s := range map[string]*mcp.ClientSession{"second": second, "third": third} {
		if got, _ := callTool(t, s, "browser_tabs", list); !strings.Contains(got, "(current) [Clicked]") {
			t.Errorf("the %s client sees %s", name, got)
		}
	}
	curl := pipetest.MCP{Service: &pipetest.Service{T: t, URL: base}, Name: "curl"} // has no session of the protocol
	pipetest.Has(t, curl.Use("browser_tabs", list).Result.Content[0].Text, "(current) [Clicked]")
	base = servePeer(t, "--shared-browser-context", "--isolated")
	first = connectAt(t, "one", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"})
	callTool(t, first, "browser_navigate", page)
	second = connectAt(t, "two", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"})
	got, _ := callTool(t, second, "browser_tabs", list)
	pipetest.Lacks(t, got, "Ours")
}
