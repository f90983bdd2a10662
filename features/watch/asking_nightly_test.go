//go:build evidence

package watch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestAskOnAPipe: official clients of both protocol versions, on a watchable pipe.
func TestAskOnAPipe(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	for version, asks := range map[string]int{"2026-07-28": 1, "2025-11-25": 0} {
		questions := 0
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, &mcp.ClientOptions{
			Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				questions++
				if !strings.Contains(r.Params.Message, "http://127.0.0.1:") || !strings.HasSuffix(r.Params.Message, "/#own") {
					return nil, fmt.Errorf("the message is %q", r.Params.Message)
				}
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			},
		})
		cmd := exec.Command(pipetest.Binary(t), "--watch", "--base-url", pipetest.Site(t))
		ss, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		r, err := ss.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask-person", Arguments: m{"message": "look", "timeout": 2}})
		if err != nil {
			t.Fatal(err)
		}
		said, _ := json.Marshal(r.Content)
		if want := map[int]string{1: "done", 0: "expired"}[asks]; questions != asks || !strings.Contains(string(said), want) {
			t.Errorf("%s: %d questions, %s", version, questions, said)
		}
		_ = ss.Close()
	}
}
