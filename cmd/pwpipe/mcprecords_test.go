package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerFiles: --output-mode=file leaves links in answers, and --save-video's place and size may
// come from the options of contexts in the file.
func TestPeerFiles(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPeerWalls is quick")
	t.Parallel()
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.js")
	config := filepath.Join(dir, "config.json")
	for file, text := range map[string]string{
		broken: "module.exports = async () => { throw new Error('boom') }",
		config: `{"browser": {"initPage": ["broken.js"]}}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, _ := startPeer(t, nil, "--headless", "--config", config)
	got, failed := callTool(t, s, "browser_snapshot", map[string]any{})
	if !failed || !strings.Contains(got, `Failed to load init page "`+broken+`"`) || !strings.Contains(got, "boom") {
		t.Errorf("got %s", got)
	}

	config = filepath.Join(dir, "films.json")
	text := `{"outputMode": "file", "browser": {"contextOptions": {"recordVideo": {"dir": "films",
		"size": {"width": 320, "height": 240}}}}}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, dir = startPeer(t, nil, "--headless", "--config", config)
	for tool, want := range map[string]string{"browser_snapshot": "- [Snapshot](.playwright-mcp/page-",
		"browser_console_messages": "- [Console](.playwright-mcp/console-"} {
		if got, _ := callTool(t, s, tool, map[string]any{}); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %q", tool, got, want)
		}
	}
	_, _ = callTool(t, s, "browser_close", map[string]any{})
	if found, _ := filepath.Glob(filepath.Join(dir, "films", "*.webm")); len(found) != 1 {
		t.Errorf("films %v", found)
	}
}
