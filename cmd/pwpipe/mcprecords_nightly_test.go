//go:build evidence

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerRecords: what Playwright MCP's flags ask to be kept is kept, and its files with code run.
func TestPeerRecords(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	init := filepath.Join(t.TempDir(), "init.ts")
	code := `import type { Page } from '@playwright/test';
export default async ({ page }: { page: Page }) => {
	await page.addInitScript(() => console.log('from the init page'));
};`
	if err := os.WriteFile(init, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	s, dir := startPeer(t, nil, "--headless", "--save-session", "--save-trace", "--save-video=320x240",
		"--output-mode=stdout", "--test-id-attribute=data-tid", "--init-page", init)
	if words := s.InitializeResult().Instructions; words != "" {
		t.Errorf("instructions %q, of tools that are not listed", words)
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_navigate", map[string]any{"url": `data:text/html,<title>Lamp</title><button data-tid=go>Go</button>`},
			"### Snapshot\n```yaml\n- button \"Go\""},
		{"browser_console_messages", map[string]any{}, "from the init page"},
		{"browser_click", map[string]any{"target": "getByTestId('go')"}, "await page.getByTestId('go').click();"},
		{"browser_snapshot", map[string]any{}, "[active]"},
		{"browser_close", map[string]any{}, "await page.close()"},
	} {
		if got, failed := callTool(t, s, c.tool, c.args); failed || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q", c.tool, got, c.want)
		}
	}
	for pattern, want := range map[string]string{
		"session-*/session.md": "\n### Tool call: browser_click\n- Args\n```json\n{\n" +
			"  \"target\": \"getByTestId('go')\"\n}\n```\n- Result\n```json\n{\n  \"code\": \"await page.getByTestId('go').click();\",",
		"trace-*.zip":   "PK",
		"video-*.webm":  "\x1aE\xdf\xa3",
		"page-*.yml":    "",
		"console-*.log": "",
	} {
		found, err := filepath.Glob(filepath.Join(dir, ".playwright-mcp", pattern))
		switch {
		case err != nil:
			t.Error(err)
		case want == "" && len(found) > 0:
			t.Errorf("%v: it went to a file", found)
		case want != "" && len(found) != 1:
			t.Errorf("%s: %v", pattern, found)
		case want != "":
			if text, err := os.ReadFile(found[0]); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %v: %.2000s, want %q", found[0], err, text, want)
			}
		}
	}
}

// TestPeerHeaders: --cdp-header goes with the requests that attach.
func TestPeerHeaders(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach of tests/reach is quick")
	t.Parallel()
	got := make(chan http.Header, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/json/version") {
			_, _ = fmt.Fprintf(w, `{"webSocketDebuggerUrl": "ws://%s/devtools"}`, r.Host)
			return
		}
		select {
		case got <- r.Header:
		default:
		}
		http.Error(w, "no", http.StatusForbidden)
	}))
	t.Cleanup(site.Close)
	s, _ := startPeer(t, nil, "--cdp-endpoint", site.URL, "--cdp-header", "Authorization: Bearer a:b",
		"--cdp-header", "X-Empty")
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_snapshot"})
	if err != nil || !r.IsError {
		t.Errorf("%v, %v", r, err)
	}
	if h := <-got; h.Get("Authorization") != "Bearer a:b" || h["X-Empty"] == nil {
		t.Errorf("headers %v", h)
	}
}

// TestPeerFiles: --output-mode=file leaves links in answers, and --save-video's place and size may
// come from the options of contexts in the file.
func TestPeerFiles(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerWalls is quick")
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
