package main

import (
	"encoding/json"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
)

// startPeer starts `pwpipe mcp` with arguments, in a folder of its own.
func startPeer(t *testing.T, env []string, args ...string) (*mcp.ClientSession, string) {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp"}, args...)...)
	// An act has five seconds otherwise, which a busy machine may take for it.
	cmd.Dir, cmd.Env = t.TempDir(), append(append(os.Environ(), "PLAYWRIGHT_MCP_TIMEOUT_ACTION=60000"), env...)
	return connectTo(t, "test", cmd), cmd.Dir
}

// TestPeerCrash: an empty page replaces a page that crashed, and its console says so.
func TestPeerCrash(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestSignals is quick")
	t.Parallel()
	s, dir := startPeer(t, nil, "--headless")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_navigate", map[string]any{"url": "data:text/html,<title>First</title>"}, "First"},
		{"browser_tabs", map[string]any{"action": "new", "url": "data:text/html,<title>Second</title>"}, "Second"},
		{"browser_navigate", map[string]any{"url": "chrome://crash"}, "### Error\nError: net::ERR_ABORTED at chrome://crash"},
	} {
		if got, _ := callTool(t, s, c.tool, c.args); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q", c.tool, got, c.want)
		}
	}
	got, said := "", ""
	pipetest.Eventually(t, "an empty page, and the entry that says why", func() bool {
		got, _ = callTool(t, s, "browser_snapshot", map[string]any{})
		_, file, ok := strings.Cut(got, "- New console entries: ")
		if file, _, _ = strings.Cut(file, "#"); ok {
			text, _ := os.ReadFile(filepath.Join(dir, file))
			said += string(text)
		}
		return strings.Contains(got, "- Page URL: about:blank\n") && strings.Contains(said, "Page crashed and was reset to about:blank.")
	})
	const tabs = "- 0: [First](data:text/html,<title>First</title>)\n- 1: (current) [](about:blank)"
	if got, _ := callTool(t, s, "browser_tabs", map[string]any{"action": "list"}); !strings.Contains(got, tabs) {
		t.Errorf("got %s", got)
	}
}

// peerList names the tools that a server lists.
func peerList(t *testing.T, s *mcp.ClientSession) (list []string) {
	t.Helper()
	got, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range got.Tools {
		list = append(list, tool.Name)
	}
	return list
}

// costOfList counts the tokens of a list of tools, as on the wire: of all, and of those that are
// not ours.
func costOfList(t *testing.T, ours []string, args ...string) (all, theirs int) {
	t.Helper()
	list := rawList(t, args...)
	var each []json.RawMessage
	if err := json.Unmarshal([]byte(list), &each); err != nil {
		t.Fatal(err)
	}
	rest := ""
	for _, tool := range each {
		if name := pipetest.Decode[struct{ Name string }](t, string(tool)).Name; !slices.Contains(ours, name) {
			rest += string(tool) + ","
		}
	}
	all, err := tokens.Count(list)
	if err == nil {
		theirs, err = tokens.Count(rest)
	}
	if err != nil || theirs < 100 {
		t.Fatalf("%v: %s", err, list)
	}
	return all, theirs
}

// fiveTools are tools that forks of Playwright MCP add to its own.
var fiveTools = []string{"browser_clipboard_read", "browser_clipboard_write", "browser_find_text", "browser_paste",
	"browser_wait_for_element"}

// TestPeerTools: without --profile the tools of Playwright MCP and five more are listed, for at most
// half of the tokens of its own list; with --profile our tools are listed.
func TestPeerTools(t *testing.T) {
	t.Parallel()
	const theirs = 4413 // o200k tokens of the 25 tools that @playwright/mcp 0.0.83 lists
	s, _ := startPeer(t, nil, "--headless")
	list := peerList(t, s)
	all, cost := costOfList(t, fiveTools, "mcp", "--headless")
	t.Logf("25 tools for %d tokens, of %d; all %d for %d", cost, theirs, len(list), all)
	if len(list) != 25+len(fiveTools) || 2*all > theirs {
		t.Errorf("%d tools for %d tokens, want 30 for at most half of %d: %v", len(list), all, theirs, list)
	}
	for _, name := range fiveTools {
		if !slices.Contains(list, name) {
			t.Errorf("%s is not listed", name)
		}
	}
	for _, name := range list {
		if !strings.HasPrefix(name, "browser_") {
			t.Errorf("%s is listed", name)
		}
	}
	got, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]mcp.ToolAnnotations{"browser_click": {Title: "Click"},
		"browser_close": {Title: "Close browser"}, "browser_snapshot": {Title: "Page snapshot", ReadOnlyHint: true},
		"browser_wait_for": {Title: "Wait for", ReadOnlyHint: true}} {
		at := slices.IndexFunc(got.Tools, func(tool *mcp.Tool) bool { return tool.Name == name })
		if is := got.Tools[at].Annotations; *is != want { // the protocol's default: it may destroy
			t.Errorf("%s has the hints %+v, want %+v", name, *is, want)
		}
	}
	s, _ = startPeer(t, nil, "--headless", "--caps=pdf,vision")
	if list := peerList(t, s); len(list) != 25+len(fiveTools)+7 {
		t.Errorf("with pdf and vision: %v", list)
	}
	s, _ = startPeer(t, nil, "--headless", "--profile=agent")
	if list := peerList(t, s); strings.Contains(strings.Join(list, " "), "browser_") {
		t.Errorf("profile agent: %v", list)
	}
}

// peerSays returns what `pwpipe mcp` writes when it gets no requests.
func peerSays(t *testing.T, args string) string {
	t.Helper()
	return peerSaysIn(t, nil, args)
}

// peerSaysIn is peerSays with environment variables.
func peerSaysIn(t *testing.T, env []string, args string) string {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp", "--headless"}, strings.Fields(args)...)...)
	cmd.Env = append(os.Environ(), env...)
	got, _ := cmd.CombinedOutput()
	return string(got)
}

// TestPeerFlags: a refused flag or value is answered with the reason; other flags reach the
// browser. An address for other machines needs a key.
func TestPeerFlags(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for args, want := range map[string]string{
		"--caps=visoin":                   "vision",
		"--config=a.json":                 "a.json",
		"--profile-dir-name=x":            "--profile-dir-name: the browser whose extension connects",
		"--init-page=a.ts":                "a.ts: no such file",
		"--init-page=. --no-execute":      "--init-page: it runs code, which --no-execute forbids",
		"--save-video=big":                "expected a size such as 1280x720",
		"--cdp-header=:x":                 "expected \"Name: value\"",
		"--output-mode=screen":            "file or stdout",
		"--headles":                       "--headless",
		"--isolated --user-data-dir=data": "--isolated",
		"--viewport-size=big":             "expected a size such as 1280x720",
		"--device=x --cdp-endpoint=1":     "Device emulation is not supported",
		"--executable-path=" + nowhere:    nowhere,
		"--cdp-endpoint=127.0.0.1:1":      "127.0.0.1:1",
		"--port=0 --host=0.0.0.0":         "needs an API key",
		"--port=web":                      "expected a port from 0 to 65535",
		"--mobile --device=x":             "give one of --mobile and --device",
		"--mobile --browser=firefox":      "there are no mobile pages in Firefox",
		"--test-id-attribute=a.b":         "expected the name of an attribute",
		"--timeout-action=0":              "expected milliseconds from 1 to an hour",
		"--isolated=maybe":                "expected true or false",
		"--endpoint=x":                    "--endpoint: pwpipe can't find browsers",
		"--allowed-origins=a.test/x":      "is neither an origin",
		"--user-data-dir=x --device=y":    "--user-data-dir: a browser with a profile",
	} {
		cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp"}, strings.Fields(args)...)...)
		cmd.Env = append(os.Environ(), "API_KEY=")
		cmd.Stdin = strings.NewReader(`{"id":1,"method":"nav","params":["about:blank"]}` + "\n")
		if got, _ := cmd.CombinedOutput(); !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s, want %q", args, got, want)
		}
	}
}
