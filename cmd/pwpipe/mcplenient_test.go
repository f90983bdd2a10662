//go:build evidence

package main

import (
	"regexp"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerLenient: as in Playwright MCP, members that a tool does not know are ignored, within
// lists too; ref, startRef and endRef mean target. What a tool knows is still checked.
func TestPeerLenient(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	s, _ := startPeer(t, nil, "--headless", "--caps=testing")
	page := `data:text/html,<title>Start</title><button onclick="document.title='Pressed'">Go</button>` +
		`<input aria-label=Name value=Ada><div id=from draggable=true>From</div>` +
		`<div id=to ondragover="event.preventDefault()" ondrop="document.title='Dropped'">To</div>`
	call := func(tool string, args map[string]any) string {
		t.Helper()
		got, _ := callTool(t, s, tool, args)
		return got
	}
	call("browser_navigate", map[string]any{"url": page, "waitUntil": "load", "timeout": 30_000, "page": 3, "max": 10})
	tree := call("browser_snapshot", map[string]any{"random_string": "x", "session_id": nil})
	ref := func(line string) string {
		m := regexp.MustCompile(line + `.*?\[ref=(\w+)\]`).FindStringSubmatch(tree)
		if m == nil {
			t.Fatalf("no %s in %s", line, tree)
		}
		return m[1]
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_click", map[string]any{"ref": ref(`button "Go"`), "element": "Go", "reason": "to try"}, "- Page Title: Pressed"},
		{"browser_drag", map[string]any{"startRef": ref("generic.*"), "endRef": "#to", "startTarget": "#from"}, "- Page Title: Dropped"},
		{"browser_hover", map[string]any{"ref": "#nobody", "target": "button"}, "locator('button').hover()"},
		{"browser_fill_form", map[string]any{"fields": []any{map[string]any{
			"ref": ref(`textbox "Name"`), "name": "Name", "type": "textbox", "value": "Grace", "label": "Name"}}}, "fill('Grace')"},
		{"browser_evaluate", map[string]any{"function": "e => e.value", "ref": "input", "returnByValue": true}, `"Grace"`},
		{"browser_verify_value", map[string]any{"ref": "input", "type": "textbox", "element": "Name", "value": "Grace"}, "Done"},
		{"browser_type", map[string]any{"target": "input", "text": 5, "kind": "x"}, "expected string, received number"},
		{"browser_click", map[string]any{"selector": "button"}, "Invalid input: expected string, received undefined\n  → at target"},
		{"browser_fill_form", map[string]any{"fields": []any{"x"}}, "expected an object"},
	} {
		pipetest.Has(t, call(c.tool, c.args), c.want)
	}
}
