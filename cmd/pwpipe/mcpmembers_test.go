package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerMembersSaid: what has no meaning of the flags, the file and the variables is said, each in one line.
func TestPeerMembersSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipetest.Has(t, peerSays(t, "--timeout-settle=1 --idle-timeout=2 --cdp-timeout=3"), "--timeout-settle: nothing waits",
		"\npwpipe mcp: --idle-timeout: the browser runs", "\npwpipe mcp: --cdp-timeout: the deadline of the first")
	for member, want := range map[string]string{
		`"launchOptions": {"args": ["--proxy-server=127.0.0.1:1", "--mute-audio"]}`: "args: --proxy-server=127.0.0.1:1 is left out",
		`"launchOptions": {"downloadsPath": "/tmp/a"}`:                              "downloadsPath of the file: downloads go to",
		`"remoteHeaders": {"a": "b"}`:                                               "remoteHeaders of the file: it belongs to --endpoint",
		`"launchOptions": {"slowMo": -1}`:                                           "slowMo of the file: expected milliseconds",
		`"launchOptions": {"timeout": "x"}`:                                         "timeout of the file: expected milliseconds",
		`"launchOptions": {"slowMo": 5}, "cdpEndpoint": "http://127.0.0.1:1"`:       "for a browser that pwpipe starts",
	} {
		file := filepath.Join(dir, "config.json")
		if err := os.WriteFile(file, []byte(`{"browser": {`+member+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := peerSays(t, "--config="+file); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %s, want %q", member, got, want)
		}
	}
	for variable, want := range map[string]string{
		"PLAYWRIGHT_MCP_EXTENSION_TOKEN": "the person consents there",
		"PLAYWRIGHT_MCP_REMOTE_HEADERS":  "it belongs to --endpoint",
		"PLAYWRIGHT_MCP_PING_TIMEOUT_MS": "clients are not asked for signs of life",
	} {
		got := peerSaysIn(t, []string{variable + "=9"}, "")
		if !strings.Contains(got, variable+": ") || !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %s, want %q", variable, got, want)
		}
	}
}
