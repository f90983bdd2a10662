//go:build evidence

package main

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerFiveTools: the five tools work in the same session as Playwright MCP's, and the list of
// allowed domains of their specification restricts both.
func TestPeerFiveTools(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	site := pipetest.Site(t)
	s, _ := startPeer(t, []string{"ALLOWED_DOMAINS=127.0.0.1"}, "--headless")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_navigate", map[string]any{"url": site + "/form"}, "### Page"},
		{"browser_clipboard_write", map[string]any{"text": "carried"}, `{"success":true,"textLength":7}`},
		{"browser_clipboard_read", map[string]any{}, `{"text":"carried"}`},
		{"browser_find_text", map[string]any{"text": "Full name"}, `"tagName":"label"`},
		{"browser_paste", map[string]any{"selector": "#message", "text": "a\nb"}, `{"success":true}`},
		{"browser_evaluate", map[string]any{"function": "() => document.querySelector('#message').value"}, `"a\nb`},
		{"browser_wait_for_element", map[string]any{"selector": "h1", "text": "form"}, `"matchedText":"Form"`},
		{"browser_navigate", map[string]any{"url": "http://other.example/"}, "net::ERR_BLOCKED_BY_CLIENT"},
	} {
		if got, _ := callTool(t, s, c.tool, c.args); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q", c.tool, got, c.want)
		}
	}
}

// TestPeerSettings: a flag wins over a variable, and a variable over the file; settings without
// effect are named on stderr.
func TestPeerSettings(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerFlags is quick")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"browser": {"contextOptions": {"viewport": {"width": 700, "height": 300},
		"userAgent": "ofFile"}}, "capabilities": ["pdf"], "odd": {"thing": 1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PLAYWRIGHT_MCP_USER_AGENT=ofVariable", "PLAYWRIGHT_MCP_VIEWPORT_SIZE=600x300"}
	s, _ := startPeer(t, env, "--headless", "--config", file, "--viewport-size=500x300")
	const asked = "() => innerWidth + ' ' + navigator.userAgent"
	if got, _ := callTool(t, s, "browser_evaluate", map[string]any{"function": asked}); !strings.Contains(got,
		`"500 ofVariable"`) {
		t.Errorf("got %s", got)
	}
	if list := peerList(t, s); !strings.Contains(strings.Join(list, " "), "browser_pdf_save") {
		t.Errorf("capabilities of the file: %v", list)
	}
	lines := filepath.Join(t.TempDir(), "config.ini")
	if err := os.WriteFile(lines, []byte("; lines\nbrowser.contextOptions.userAgent = ofLines\n"+
		"browser.contextOptions.deviceScaleFactor = 2\nbrowser.contextOptions.locale = fr-FR\ncapabilities = pdf,vision\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	s, _ = startPeer(t, nil, "--headless", "--config", lines)
	const more = "() => [navigator.userAgent, devicePixelRatio, navigator.language].join(' ')"
	if got, _ := callTool(t, s, "browser_evaluate", map[string]any{"function": more}); !strings.Contains(got, "ofLines 2 fr-FR") {
		t.Errorf("got %s", got)
	}
	if got, _ := callTool(t, s, "browser_navigate", map[string]any{"url": 3}); !strings.Contains(got,
		"✖ Invalid input: expected string, received number\n  → at url\n") {
		t.Errorf("got %s", got)
	}
	if list := strings.Join(peerList(t, s), " "); !strings.Contains(list, "browser_pdf_save") || !strings.Contains(list, "mouse") {
		t.Errorf("capabilities of lines: %s", list)
	}
	for args, want := range map[string]string{
		"--config=" + file:         "odd.thing has no meaning here",
		"--timeout-settle=100":     "--timeout-settle: nothing waits for a fixed time here",
		"--shared-browser-context": "--shared-browser-context: there is one client without --port",
	} {
		if got := peerSays(t, args); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %s, want %q", args, got, want)
		}
	}
}

// TestPeerPictures: answers have pictures of at most 1568 pixels, as Playwright MCP's, and say
// the scale; --max-image sets another bound.
func TestPeerPictures(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestMaxImage of handlers/agent is quick")
	t.Parallel()
	for bound, want := range map[string]image.Point{"": image.Pt(1568, 784), "--max-image=0": image.Pt(2000, 1000)} {
		args := []string{"--headless", "--viewport-size=2000x1000"}
		if bound != "" {
			args = append(args, bound)
		}
		s, _ := startPeer(t, nil, args...)
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_take_screenshot", Arguments: map[string]any{}})
		if err != nil || len(r.Content) != 2 {
			t.Fatalf("%v: %+v", err, r)
		}
		text, picture := r.Content[0].(*mcp.TextContent).Text, r.Content[1].(*mcp.ImageContent)
		is, _, err := image.DecodeConfig(bytes.NewReader(picture.Data))
		if err != nil || image.Pt(is.Width, is.Height) != want {
			t.Errorf("%q: %v, %v", bound, is, err)
		}
		if strings.Contains(text, "scaled by 0.784") != (bound == "") {
			t.Errorf("%q: the answer is %s", bound, text)
		}
	}
	if got := peerSays(t, "--max-image=10"); !strings.Contains(got, "--max-image: expected 0, or a number of pixels from 64") {
		t.Errorf("a bound of 10: %s", got)
	}
}

// TestPastedConfiguration: a configuration of Playwright MCP works with one word changed, and
// calls are answered in Playwright MCP's shape.
func TestPastedConfiguration(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerFlags is quick")
	t.Parallel()
	var config struct {
		Servers map[string]struct{ Args []string } `json:"mcpServers"`
	}
	pasted := `{"mcpServers": {"playwright": {"command": "pwpipe", "args": ["mcp", "--headless", "--isolated"]}}}`
	if err := json.Unmarshal([]byte(pasted), &config); err != nil {
		t.Fatal(err)
	}
	s, dir := startPeer(t, nil, config.Servers["playwright"].Args[1:]...)
	said := func(name string, args map[string]any, want ...string) string {
		t.Helper()
		got, failed := callTool(t, s, name, args)
		for _, w := range want {
			if failed != strings.HasPrefix(want[0], "### Error") || !strings.Contains(got, w) {
				t.Errorf("%s: got %s, want %q", name, got, w)
			}
		}
		return got
	}
	site := pipetest.Site(t)
	got := said("browser_navigate", map[string]any{"url": site + "/login"},
		"await page.goto('"+site+"/login');", "### Page\n- Page URL: "+site+"/login",
		"### Snapshot\n- [Snapshot](.playwright-mcp/page-")
	_, file, _ := strings.Cut(got, "[Snapshot](")
	file, _, _ = strings.Cut(file, ")")
	if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(text),
		`textbox "E-mail"`) {
		t.Errorf("%s: %v: %s", file, err, text)
	}
	tree := said("browser_snapshot", map[string]any{}, "### Snapshot\n```yaml\n", `textbox "E-mail"`)
	_, ref, _ := strings.Cut(tree, `textbox "E-mail" [`)
	_, ref, _ = strings.Cut(ref, "ref=")
	ref, _, _ = strings.Cut(ref, "]")
	said("browser_type", map[string]any{"element": "E-mail", "target": ref, "text": "ada@example.com"},
		"await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');")
	said("browser_evaluate", map[string]any{"function": "element => element.value", "target": ref},
		"### Result\n\"ada@example.com\"")
	said("browser_click", map[string]any{"target": "e9999"},
		"### Error\nError: Ref e9999 not found in the current page snapshot")
}
