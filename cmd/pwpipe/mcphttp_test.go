package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// servePeer starts `pwpipe mcp --port`, and returns its address.
func servePeer(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp", "--headless", "--port=0"}, args...)...)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "API_KEY=")
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			go func() {
				for lines.Scan() { // drained, so that the server can write
				}
			}()
			return url
		}
	}
	t.Fatal("it does not say where it listens")
	return ""
}

// connectAt connects a client to a server's address.
func connectAt(t *testing.T, name string, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestPeerPort: with --port each client has a context of its own: at /mcp, at the root, and at
// /sse over the older transport. With --shared-browser-context they have one.
func TestPeerPort(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMCPBothEras of provider/service is quick")
	t.Parallel()
	base, site := servePeer(t, "--caps=storage"), pipetest.Site(t)
	clients := map[string]*mcp.ClientSession{
		"/mcp": connectAt(t, "one", &mcp.StreamableClientTransport{Endpoint: base + "/mcp"}),
		"/":    connectAt(t, "two", &mcp.StreamableClientTransport{Endpoint: base}),
		"/sse": connectAt(t, "three", &mcp.SSEClientTransport{Endpoint: base + "/sse"}),
	}
	for path, s := range clients {
		for _, c := range []struct {
			tool string
			args map[string]any
			want string
		}{
			{"browser_navigate", map[string]any{"url": site + "/login"}, "- Page URL: " + site + "/login"},
			{"browser_cookie_list", map[string]any{}, "No cookies found"},
			{"browser_cookie_set", map[string]any{"name": "mine", "value": "1"}, "addCookies"},
			{"browser_cookie_get", map[string]any{"name": "mine"}, "mine=1"},
			{"browser_tabs", map[string]any{"action": "list"}, "- 0: (current)"},
			{"browser_pdf_save", map[string]any{}, `Tool "browser_pdf_save" not found`},
		} {
			got, _ := callTool(t, s, c.tool, c.args)
			if !strings.Contains(got, c.want) || strings.Contains(got, "- 1:") {
				t.Errorf("%s: %s: got %s, want %q", path, c.tool, got, c.want)
			}
		}
	}
	base = servePeer(t, "--shared-browser-context")
	for _, tool := range []string{"browser_navigate", "browser_tabs"} {
		s := connectAt(t, tool, &mcp.StreamableClientTransport{Endpoint: base + "/mcp"})
		got, _ := callTool(t, s, tool, map[string]any{"url": site + "/login", "action": "list"})
		pipetest.Has(t, got, "Sign in | Skerry")
	}
}
