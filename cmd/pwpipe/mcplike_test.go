package main

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerLike: what Playwright MCP's own tests ask for, of pages, pictures and dialogs. A dialog stays
// open until browser_handle_dialog answers it.
func TestPeerLike(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	s, _ := startPeer(t, nil, "--headless")
	said := func(tool string, args map[string]any, want string) {
		t.Helper()
		if got, _ := callTool(t, s, tool, args); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %q", tool, got, want)
		}
	}
	ask := "data:text/html,<button onclick=\"document.title=confirm('Sure?')\">Ask</button>"
	for _, c := range []struct {
		tool   string
		args   map[string]any
		want   string
		failed bool
	}{
		{"browser_navigate", map[string]any{"url": ask}, "### Page", false},
		{"browser_handle_dialog", map[string]any{"accept": true}, "can only be used when there is related modal state", true},
		{"browser_click", map[string]any{"target": "button"},
			`- ["confirm" dialog with message "Sure?"]: can be handled by browser_handle_dialog`, false},
		{"browser_snapshot", map[string]any{}, `Tool "browser_snapshot" does not handle the modal state`, true},
		{"browser_handle_dialog", map[string]any{"accept": true}, "- Page Title: true", false},
	} {
		if got, failed := callTool(t, s, c.tool, c.args); failed != c.failed || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q", c.tool, got, c.want)
		}
	}
	page := `data:text/html,<h1>Out</h1><iframe src="data:text/html,<h2>In</h2><button>[active]</button>"></iframe>`
	said("browser_navigate", map[string]any{"url": page}, "page.goto")
	pipetest.Eventually(t, "the frame, which has no focus", func() bool {
		got, _ := callTool(t, s, "browser_snapshot", map[string]any{})
		return strings.Contains(got, "[active]\" [ref=f1e") && strings.Count(got, " [active] [ref=") == 1
	})
	said("browser_click", map[string]any{"target": "iframe >> internal:control=enter-frame >> button"}, "click()")
	said("browser_snapshot", map[string]any{}, "iframe [active] [ref=e")
	said("browser_snapshot", map[string]any{}, "[active] [ref=f1e")

	long := `data:text/html,<body style=margin:0;height:3136px><h1>One</h1><script>` +
		`document.write('<button>Edit</button>'.repeat(900)); document.querySelectorAll('button')[450].focus()</script>`
	said("browser_navigate", map[string]any{"url": long}, "page.goto")
	said("browser_snapshot", map[string]any{}, "# 410 more of button, refs e") // what has the focus follows
	for is, args := range map[string]map[string]any{"RIFF": {"type": "webp"}, "WEBP": {"type": "webp", "target": "h1"},
		"IHDR\x00\x00\x02\x80\x00\x00\x06\x20": {"fullPage": true}} { // half its size: no side is over 1568
		a, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_take_screenshot", Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		image, ok := a.Content[len(a.Content)-1].(*mcp.ImageContent)
		if !ok || image.MIMEType != http.DetectContentType(image.Data) || !bytes.Contains(image.Data[:30], []byte(is)) {
			t.Errorf("%v: got %+v", args, a.Content)
		}
	}
	said("browser_navigate", map[string]any{"url": "data:text/html,<h1>One"}, "page.goto")
	said("browser_take_screenshot", map[string]any{"filename": "all.webp", "fullPage": true}, "type: a webp picture can't be taken of the full page")

	said("browser_run_code_unsafe", map[string]any{"code": `async page => {
		const other = await page.context().newPage();
		await Promise.all([other.waitForEvent('crash'), other.goto('chrome://crash').catch(() => {})]);
	}`}, "chrome://crash")
	const alone = "### Result\n- 0: (current) [](data:text/html,<h1>One)"
	pipetest.Eventually(t, "the tab that crashed", func() bool {
		got, _ := callTool(t, s, "browser_tabs", map[string]any{"action": "list"})
		return strings.HasPrefix(got, alone+"\n- 1: [](about:blank) [crashed]")
	})
	said("browser_tabs", map[string]any{"action": "select", "index": 1}, "Tab 1 not found")
	if got, _ := callTool(t, s, "browser_tabs", map[string]any{"action": "close", "index": 1}); strings.TrimSpace(got) != alone {
		t.Errorf("after it is closed: %s", got)
	}
}

// TestPeerNames: a server that this machine's clients alone reach has the name that it listens at,
// or those of --allowed-hosts.
func TestPeerNames(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	byDefault, named := servePeer(t), servePeer(t, "--allowed-hosts=Shop.example:80,127.0.0.1")
	for _, c := range []struct {
		base, host string
		refused    string // "" for a name of the server
	}{
		{byDefault, "localhost", ""},
		{byDefault, "127.0.0.1", "Access is only allowed at localhost"},
		{byDefault, "evil.localhost", "Access is only allowed at localhost"},
		{named, "localhost", "Access is only allowed at shop.example, 127.0.0.1"},
		{named, "shop.example", ""},
		{named, "127.0.0.1:80", ""},
	} {
		status, text, _ := (&pipetest.Service{T: t, URL: c.base}).Do("GET", "/mcp", "", "Host: "+c.host)
		if refused := status == http.StatusForbidden; refused != (c.refused != "") || !strings.Contains(text, c.refused) {
			t.Errorf("Host %s: got %d: %s, want %q", c.host, status, text, c.refused)
		}
	}
}

// TestPeerStarts: what can't start says why, with Playwright MCP's status and the browser's own words.
func TestPeerStarts(t *testing.T) {
	t.Parallel()
	var status *exec.ExitError
	refused := exec.Command(pipetest.Binary(t), "mcp", "--device=Pixel 5", "--cdp-endpoint=http://localhost:1")
	text, err := refused.CombinedOutput()
	if !errors.As(err, &status) || status.ExitCode() != 1 || !strings.Contains(string(text), "Device emulation is not supported with cdpEndpoint.") {
		t.Errorf("%v: %s", err, text)
	}
	if runtime.GOOS == "windows" {
		return
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho 'A library is missing'\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, _ := startPeer(t, nil, "--headless", "--executable-path", broken)
	if got, failed := callTool(t, s, "browser_navigate", map[string]any{"url": "about:blank"}); !failed || !strings.Contains(got, "it printed: A library is missing") {
		t.Errorf("got %s", got)
	}
}

// TestPeerGivesProfileBack: after browser_close another process may have the profile, with what the
// first kept in it.
func TestPeerGivesProfileBack(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRelativeProfile is quick")
	t.Parallel()
	site, profile := pipetest.Site(t), pipetest.ProfileDir(t)
	first, _ := startPeer(t, nil, "--headless", "--user-data-dir", profile)
	second, _ := startPeer(t, nil, "--headless", "--user-data-dir", profile)
	run := func(s *mcp.ClientSession, code string) string {
		callTool(t, s, "browser_navigate", map[string]any{"url": site + "/login"})
		got, _ := callTool(t, s, "browser_evaluate", map[string]any{"function": "() => " + code})
		return got
	}
	run(first, "{ localStorage.kept = 'it is kept' }")
	callTool(t, first, "browser_close", map[string]any{})
	if got := run(second, "localStorage.kept"); !strings.Contains(got, "it is kept") {
		t.Errorf("got %s", got)
	}
}

// TestPeerTellsLoss: who started the server hears that the browser is gone, though no call fails.
func TestPeerTellsLoss(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled is quick")
	t.Parallel()
	addr, chromium := pipetest.Chromium(t, "0")
	cmd := exec.Command(pipetest.Binary(t), "mcp", "--cdp-endpoint", "http://"+addr)
	out, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Dir, cmd.Stderr = t.TempDir(), out
	s := connectTo(t, "test", cmd)
	callTool(t, s, "browser_navigate", map[string]any{"url": "about:blank"})
	pipetest.Kill(chromium)
	pipetest.Eventually(t, "a line on stderr", func() bool {
		text, _ := os.ReadFile(out.Name())
		return strings.Contains(string(text), "browser disconnected (the browser at http://"+addr)
	})
}
