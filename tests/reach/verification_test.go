package reach

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

type withKey struct{ key string }

func (k withKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return http.DefaultTransport.RoundTrip(r)
}

// The seed's verification: a server attached to a running Chrome, an MCP client
// over HTTP, every custom tool, and the domains enforced.
func TestVerificationOverMCP(t *testing.T) {
	pipetest.InCI(t, "TestAttach covers its core")
	t.Parallel()
	c := startChrome(t, "0")
	s := pipetest.StartService(t, "--cdp=http://"+c.addr, "--profile=mcp", "ALLOWED_DOMAINS=127.0.0.1", "ALLOW_HOST_REGEX=^https?://")
	ctx := context.Background()
	ss, err := mcp.NewClient(&mcp.Implementation{Name: "verification", Version: "1"}, nil).Connect(ctx,
		&mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: withKey{s.Key}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ss.Close()
	call := func(tool string, args map[string]any) (text string, failed bool) {
		t.Helper()
		r, err := ss.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
	}
	list, err := ss.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, tool := range list.Tools {
		names += tool.Name + " "
	}
	pipetest.Has(t, names, "browser_clipboard_read ", "browser_clipboard_write ", "browser_find_text ", "browser_paste ", "browser_wait_for_element ")

	if text, failed := call("nav", map[string]any{"url": "/form"}); failed {
		t.Fatal(text)
	}
	for _, step := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_clipboard_write", map[string]any{"text": "carried"}, `{"success":true,"textLength":7}`},
		{"browser_clipboard_read", nil, `{"text":"carried"}`},
		{"browser_find_text", map[string]any{"text": "Full name"}, `"tagName":"label"`},
		{"browser_paste", map[string]any{"selector": "#message", "text": "a\nb"}, `{"success":true}`},
		{"browser_wait_for_element", map[string]any{"selector": "h1", "text": "form"}, `"matchedText":"Form"`},
	} {
		if text, failed := call(step.tool, step.args); failed || !strings.Contains(text, step.want) {
			t.Errorf("%s: %s", step.tool, text)
		}
	}
	for tool, args := range map[string]map[string]any{
		"nav": {"url": "http://127.0.0.2:9/"}, "browser_wait_for_element": {"selector": "#never", "timeout": 100}} {
		if text, failed := call(tool, args); !failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
	s.Stop()
	if len(c.tabs()) == 0 {
		t.Error("stopping the service closed the tabs")
	}
}
