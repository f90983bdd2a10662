//go:build evidence

package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerAttached: with --port and --cdp-endpoint all clients have the attached browser: its tabs
// and cookies, and each other's; with --isolated none of it.
func TestPeerAttached(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach of tests/reach is quick")
	t.Parallel()
	addr, _ := pipetest.Chromium(t, "0")
	site := pipetest.ServePages(t, map[string]string{
		"/in":  "<script>document.cookie = 'who=ada'</script>",
		"/who": "<script>document.title = 'Cookie: ' + document.cookie</script>",
	})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://"+addr+"/json/new?"+url.QueryEscape(site+"/in"), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()

	own := map[string]any{"url": site + "/who"}
	list := map[string]any{"action": "list"}
	connect := func(base string) (first, second *mcp.ClientSession) {
		return connectAt(t, "one", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"}),
			connectAt(t, "two", &mcp.SSEClientTransport{Endpoint: base + "/sse"})
	}
	first, second := connect(servePeer(t, "--cdp-endpoint", "http://"+addr))
	for name, s := range map[string]*mcp.ClientSession{"first": first, "second": second} {
		pipetest.Eventually(t, "the attached browser's tab", func() bool {
			got, _ := callTool(t, s, "browser_tabs", list)
			return strings.Contains(got, "[/in]")
		})
		callTool(t, s, "browser_tabs", map[string]any{"action": "new"})
		if got, _ := callTool(t, s, "browser_navigate", own); !strings.Contains(got, "Page Title: Cookie: who=ada") {
			t.Errorf("the %s client lacks the browser's cookie: %s", name, got)
		}
	}
	got, _ := callTool(t, first, "browser_tabs", list)
	if n := strings.Count(got, "[Cookie: who=ada]"); n != 2 {
		t.Errorf("one client sees %d of the 2 tabs that clients opened: %s", n, got)
	}

	first, second = connect(servePeer(t, "--cdp-endpoint", "http://"+addr, "--isolated"))
	stdio, _ := startPeer(t, nil, "--cdp-endpoint", "http://"+addr, "--isolated")
	for name, s := range map[string]*mcp.ClientSession{"first": first, "second": second, "stdio": stdio} {
		got, _ := callTool(t, s, "browser_navigate", own)
		if tabs, _ := callTool(t, s, "browser_tabs", list); !strings.Contains(got, "Page Title: Cookie:\n") ||
			strings.Contains(tabs, "- 1:") {
			t.Errorf("the %s client is not isolated: %s %s", name, got, tabs)
		}
	}
}
