package service_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// bearer sends the key as a bearer token.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+pipetest.Key)
	return http.DefaultTransport.RoundTrip(r)
}

// connect connects with the newest revision that has sessions.
func connect(t *testing.T, svc *pipetest.Service) *mcp.ClientSession {
	t.Helper()
	return connectAs(t, svc, "2025-11-25")
}

func connectAs(t *testing.T, svc *pipetest.Service, version string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	ss, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: svc.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ss.Close() })
	return ss
}

func use(t *testing.T, ss *mcp.ClientSession, tool string, args m) (string, bool) {
	t.Helper()
	r, err := ss.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	if text == nil {
		t.Fatalf("%s: %T", tool, r.Content[0])
	}
	return text.Text, r.IsError
}

func TestMCPOverHTTP(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript mcp is quick")
	t.Parallel()
	svc := pipetest.SharedService(t)
	a, b := connect(t, svc), connect(t, svc)
	list, err := a.ListTools(context.Background(), nil)
	if err != nil || len(list.Tools) == 0 || list.Tools[0].Name != "nav" {
		t.Fatalf("tools: %v %v", list, err)
	}
	if n := svc.Metric("pwpipe_browser_contexts"); n != "0" {
		t.Errorf("%s contexts before the first call, want none", n)
	}
	// Each session has its own context.
	use(t, a, "nav", m{"url": "/"})
	use(t, b, "nav", m{"url": "/form"})
	use(t, a, "eval", m{"code": "document.cookie = 'who=a'; localStorage.who = 'a'"})
	if got, _ := use(t, b, "eval", m{"code": "document.cookie + (localStorage.who || 'nobody')"}); strings.Contains(got, "who=a") || !strings.HasSuffix(got, "nobody") {
		t.Errorf("the second session sees the first one's storage: %s", got)
	}
	if got, _ := use(t, a, "url", nil); got != svc.Site+"/" {
		t.Errorf("a is at %s", got)
	}
	if got, failed := use(t, a, "nav", m{"url": "https://example.com"}); !failed || !strings.Contains(got, "not allowed") {
		t.Errorf("a host that is not allowed: %v %s", failed, got)
	}
	if n := svc.Metric("pwpipe_browser_contexts"); n != "2" {
		t.Errorf("%s contexts, want 2", n)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "the context of a session that ended is closed", func() bool { return svc.Metric("pwpipe_browser_contexts") == "1" })
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	svc = pipetest.SharedService(t, "SESSION_TTL_MS=10000") // no pause of a busy machine is so long
	idle := connect(t, svc)
	use(t, idle, "title", nil)
	pipetest.Eventually(t, "an idle context is closed", func() bool { return svc.Metric("pwpipe_browser_contexts") == "0" })
	if got, failed := use(t, idle, "title", nil); !failed || !strings.Contains(got, "idle") || !strings.Contains(got, "call again") {
		t.Errorf("after it was idle: %v %s", failed, got)
	}
	if got, failed := use(t, idle, "title", nil); failed || got != `""` {
		t.Errorf("called again: %v %s", failed, got)
	}
}
