package service_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestMCPBothEras: the SDK's client works in both versions on one endpoint.
func TestMCPBothEras(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		ss := connectAs(t, svc, version)
		if got := ss.InitializeResult().ProtocolVersion; got != version {
			t.Errorf("the revision is %s, want %s", got, version)
		}
		if _, err := ss.ListTools(context.Background(), &mcp.ListToolsParams{}); err != nil {
			t.Fatal(err)
		}
		use(t, ss, "nav", m{"url": "/form"})
		if got, failed := use(t, ss, "url", nil); failed || got != svc.Site+"/form" {
			t.Errorf("%s: %s", version, got)
		}
	}
}
