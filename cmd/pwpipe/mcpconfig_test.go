package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestShownConfig: browser_get_config answers the settings of the flags, the variables and the
// file, but nothing that opens something.
func TestShownConfig(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	text := `{"capabilities": ["config"], "timeouts": {"action": 4000, "navigation": 5000},
"secrets": {"KEY": "sesame-1"},
"browser": {"launchOptions": {"proxy": {"server": "http://ann:sesame-2@127.0.0.1:9",
"username": "ann", "password": "sesame-3"}},

"contextOptions": {"viewport": {"width": 640, "height": 480}, "locale": "fr-FR", "extraHTTPHeaders": {"X-Key": "sesame-4"}}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := startPeer(t, []string{"PLAYWRIGHT_MCP_TIMEOUT_ACTION=", "PLAYWRIGHT_MCP_TIMEOUT_NAVIGATION=6000", "PLAYWRIGHT_MCP_SANDBOX=false"},
		"--headless", "--config", file, "--allowed-origins", "https://a.test;b.test")
	got, failed := callTool(t, s, "browser_get_config", map[string]any{})
	if failed || strings.Contains(got, "sesame") {
		t.Fatalf("failed %v, %s", failed, got)
	}
	var is any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(got, "### Result\n")), &is); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	want := `{"browser":{"contextOptions":{"locale":"fr-FR","viewport":{"height":480,"width":640}},"isolated":true,` +
		`"launchOptions":{"chromiumSandbox":false,"headless":true,"proxy":{"server":"http://127.0.0.1:9"}}},` +
		`"capabilities":["config"],"network":{"allowedOrigins":["https://a.test","b.test"]},` +
		`"timeouts":{"action":4000,"navigation":6000}}`
	if plain, err := json.Marshal(is); err != nil || string(plain) != want {
		t.Errorf("%v\n got %s\nwant %s", err, plain, want)
	}
}

// TestPeerVersion: --version and -V print the version, as there.
func TestPeerVersion(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--version", "-V"} {
		out, said, status := pipetest.Run(t, "", "mcp", flag)
		if status != 0 || !strings.Contains(out, "Playwright") {
			t.Errorf("%s: status %d, %s%s", flag, status, out, said)
		}
	}
}
