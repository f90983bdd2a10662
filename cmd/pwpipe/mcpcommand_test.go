package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPastedConfiguration: a configuration of Playwright MCP works with one word changed.
func TestPastedConfiguration(t *testing.T) {
	t.Parallel()
	var config struct {
		Servers map[string]struct{ Args []string } `json:"mcpServers"`
	}
	pasted := `{"mcpServers": {"playwright": {"command": "pwpipe", "args": ["mcp", "--headless", "--isolated"]}}}`
	if err := json.Unmarshal([]byte(pasted), &config); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, pipetest.Binary(t), config.Servers["playwright"].Args...)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if got, failed := callTool(t, s, "nav", map[string]any{"url": pipetest.Site(t) + "/login"}); failed {
		t.Errorf("nav: %s", got)
	}
	_, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "browser_click"})
	if err == nil || !strings.Contains(err.Error(), "here it is click") {
		t.Errorf("browser_click: %v", err)
	}
}

// TestPeerFlags: refused flags say why; the others reach the browser.
func TestPeerFlags(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for args, want := range map[string]string{
		"--caps=vision":                   "--caps: the tools are those of --profile",
		"--config=a.json":                 "--config: its file can't be read",
		"--extension":                     "--extension: there is no extension",
		"--port=8931":                     "--port: this serves stdin only",
		"--headles":                       "--headless",
		"--isolated --user-data-dir=data": "--isolated keeps nothing",
		"--executable-path=" + nowhere:    nowhere,
		"--cdp-endpoint=127.0.0.1:1":      "127.0.0.1:1",
	} {
		cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp"}, strings.Fields(args)...)...)
		cmd.Stdin = strings.NewReader(`{"id":1,"method":"nav","params":["about:blank"]}` + "\n")
		if got, _ := cmd.CombinedOutput(); !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s, want %q", args, got, want)
		}
	}
}
