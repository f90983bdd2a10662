//go:build evidence

package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// server is an MCP server that runs, seen by a client.
type server struct {
	name         string
	tools        string // the array of tools/list, as it stood on the wire
	instructions string
	session      *mcp.ClientSession
}

// startServer connects the SDK's client to a server over stdio and asks for its
// tools.
func startServer(t *testing.T, name string, cmd *exec.Cmd) *server {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	tap := &tappedTransport{Transport: &mcp.CommandTransport{Command: cmd}}
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, tap, nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.String())
	}
	t.Cleanup(func() {
		_ = session.Close() // waits for the process: nobody writes to stderr any more
		if t.Failed() || strings.Contains(stderr.String(), "DATA RACE") {
			t.Errorf("%s: stderr:\n%s", name, stderr.String())
		}
	})
	if _, err := session.ListTools(ctx, nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &server{name: name, tools: tap.tools, instructions: session.InitializeResult().Instructions, session: session}
}

// call calls a tool that must succeed and returns the text of its reply.
func (s *server) call(t *testing.T, tool, args string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s: %s: %v", s.name, tool, err)
	}
	var parts []string
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	reply := strings.Join(parts, "\n")
	if r.IsError {
		t.Fatalf("%s: %s %s: %s", s.name, tool, args, reply)
	}
	return reply
}

// agentBrowser is the release that is compared with.
const agentBrowser = "agent-browser@0.41.2"

// startNamed starts a server that a conversation can be held with: pwpipe, or
// Playwright MCP with its defaults and on the browser that pwpipe uses.
func startNamed(t *testing.T, name string) *server {
	t.Helper()
	if name == "pwpipe" {
		return startServer(t, name, exec.Command(pipetest.Binary(t), "--profile", "agent"))
	}
	if name != "playwright-mcp" {
		t.Fatalf("no server is called %q", name)
	}
	return startServer(t, name, pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile,
		"--headless", "--isolated", "--no-sandbox", "--executable-path", pipetest.Installed(t).Executable))
}

// tappedTransport keeps the tool list as it came, with what the SDK's types
// would drop.
type tappedTransport struct {
	mcp.Transport
	tools string
}

func (t *tappedTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &tappedConnection{c, t}, err
}

type tappedConnection struct {
	mcp.Connection
	tap *tappedTransport
}

func (c *tappedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Response); ok && err == nil {
		var list struct{ Tools json.RawMessage }
		if json.Unmarshal(r.Result, &list) == nil && list.Tools != nil {
			c.tap.tools += string(list.Tools)
		}
	}
	return m, err
}
