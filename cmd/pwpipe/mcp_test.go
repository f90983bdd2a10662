package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
)

// maxListTokens limits the cost of the default tools/list.
const maxListTokens = 1420

// connect starts pwpipe and connects the SDK's client to it.
func connect(t *testing.T, name string, args ...string) *mcp.ClientSession {
	t.Helper()
	args = append([]string{"--base-url", pipetest.Site(t)}, args...)
	return connectTo(t, name, exec.Command(pipetest.Binary(t), args...))
}

// connectTo starts a server and connects the SDK's client to it.
func connectTo(t *testing.T, name string, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	t.Cleanup(cancel)
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func callTool(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d contents", name, len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// TestMCPClient drives a login with the official client.
func TestMCPClient(t *testing.T) {
	t.Parallel()
	s := connect(t, "test")
	if err := s.Ping(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		tool   string
		args   map[string]any
		want   string
		failed bool
	}{
		{"nav", map[string]any{"url": "/login"}, "ok", false},
		{"fill", map[string]any{"sel": "[name=email]", "val": "ada@mail.example"}, "ok", false},
		{"fill", map[string]any{"sel": "[name=password]", "val": "secret"}, "ok", false},
		{"click", map[string]any{"sel": "[type=submit]"}, "ok", false},
		{"wait", map[string]any{"sel": ".dashboard"}, "ok", false},
		{"txt", map[string]any{"sel": "h1"}, "Welcome, ada@mail.example", false},
		{"vis", map[string]any{"sel": ".error-banner"}, "false", false},
		{"eval", map[string]any{"code": "({a: [1, 'x']})"}, `{"a":[1,"x"]}`, false},
		{"eval", map[string]any{"code": "'a \"text\"'"}, `a "text"`, false},
		{"attr", map[string]any{"sel": "h1", "name": "nope"}, "null", false},
		{"title", map[string]any{"page": "p7"}, "no page p7; open pages: p1", true},
		{"click", map[string]any{"sel": "#nope", "timeout": 2}, `click: nothing matches "#nope" after 2 s on p1 `, true},
		{"click", map[string]any{}, `click: missing parameter "sel" (a string); click takes sel`, true},
	} {
		got, failed := callTool(t, s, step.tool, step.args)
		// A busy page does not tell in time that nothing matches: ask again.
		for again := 0; strings.Contains(got, " after 2 s") && !strings.HasPrefix(got, step.want) && again < 5; again++ {
			got, failed = callTool(t, s, step.tool, step.args)
		}
		if !strings.HasPrefix(got, step.want) || failed != step.failed {
			t.Errorf("%s %v: got %q failed %v, want %q failed %v", step.tool, step.args, got, failed, step.want, step.failed)
		}
	}
	for name, want := range map[string]string{"nope": `unknown tool "nope"`, "goto": `unknown tool "goto"; here it is nav (url, ok?)`} {
		if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestMCPList checks the contents of tools/list, and its cost.
func TestMCPList(t *testing.T) {
	t.Parallel()
	list, err := connect(t, "test").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 23 {
		t.Errorf("%d tools are listed", len(list.Tools))
	}
	hints := map[bool][]string{} // by whether they only read, the tools that do not just act
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" || tool.Annotations == nil {
			t.Fatalf("%s: no title, description or hints", tool.Name)
		}
		if is := tool.Annotations; is.ReadOnlyHint || is.DestructiveHint == nil || *is.DestructiveHint {
			hints[is.ReadOnlyHint] = append(hints[is.ReadOnlyHint], tool.Name)
		}
		schema := tool.InputSchema.(map[string]any)
		for name, p := range schema["properties"].(map[string]any) {
			if p.(map[string]any)["description"] == "" {
				t.Errorf("%s: %s has no description", tool.Name, name)
			}
		}
		tool.OutputSchema = nil
	}
	if got := fmt.Sprint(hints); got != "map[false:[close-page] true:[txt attr html vis title url wait]]" {
		t.Errorf("the hints of tools are %s", got)
	}
	text := rawList(t)
	n, err := tokens.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("tools/list of profile core: %d o200k tokens, %d bytes", n, len(text))
	if n > maxListTokens {
		t.Errorf("tools/list costs %d tokens, more than %d", n, maxListTokens)
	}
}

// rawList is the "tools" array as on the wire.
func rawList(t *testing.T, args ...string) string {
	t.Helper()
	out, _, _ := pipetest.Run(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`, args...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var r struct {
		Result struct {
			Tools json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatal(err)
	}
	return string(r.Result.Tools)
}

// TestMCPForILO: for ilo, a schema lists only required parameters.
func TestMCPForILO(t *testing.T) {
	t.Parallel()
	list, err := connect(t, "ilo", "--profile", "all").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		schema := tool.InputSchema.(map[string]any)
		required, _ := schema["required"].([]any)
		if n := len(schema["properties"].(map[string]any)); n != len(required) {
			t.Errorf("%s: %d properties, %d required", tool.Name, n, len(required))
		}
	}
}

// TestMCPVersions: a client gets the version that it requests, from the first
// to the newest.
func TestMCPVersions(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		out, _, _ := pipetest.Run(t, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
		if !strings.HasPrefix(out, `{"jsonrpc":"2.0","id":"i","result":{`) || !strings.Contains(out, `"protocolVersion":"`+version+`"`) {
			t.Errorf("%s: %s", version, out)
		}
	}
}

// mcpCancel: after notifications/cancelled the call ends at once, and the
// next one is served.
func mcpCancel(t *testing.T, p *pipetest.Pipe) {
	t.Helper()
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.Send(`{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"name":"nav","arguments":{"url":"/login"}}}`)
	p.Line()
	never, asked := pipetest.NeverAnswers(t)
	p.Send(`{"jsonrpc":"2.0","id":7.50,"method":"tools/call","params":{"name":"nav","arguments":{"url":"` + never + `"}}}`)
	<-asked
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7.50,"reason":"changed my mind"}}`)
	if got := p.Line(); got != `{"jsonrpc":"2.0","id":7.50,"error":{"code":-32005,"message":"nav: cancelled","data":{"kind":"cancelled"}}}` {
		t.Errorf("got %s", got)
	}
	p.Send(`{"jsonrpc":"2.0","id":-8,"method":"tools/call","params":{"name":"title","arguments":{}}}`)
	if got := p.Line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":-8,"result":{`) || !strings.Contains(got, "Sign in | Skerry") {
		t.Errorf("got %s", got)
	}
}
