package endpoint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSchemesOfEveryWay: javascript: and other schemes are no way to run code in a page, for tools,
// scripts, Playwright MCP's tools and DevTools clients, without any policy.
func TestSchemesOfEveryWay(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	site, c, at := onPages(t, p)
	const code = "javascript:document.title='taken'"
	const why = "is not a scheme that pages go to"
	for _, step := range []struct {
		tool   string
		params any
	}{
		{"nav", []any{code}}, {"nav", []any{" Java\nScript:document.title='taken'"}}, {"nav", []any{"javascript://[x/%0adocument.title='taken'"}},
		{"page.goto", map[string]any{"url": code}}, {"browser_navigate", map[string]any{"url": code}},
		{"browser_tabs", map[string]any{"action": "new", "url": code}}, {"download", map[string]any{"url": code}},
		{"batch", map[string]any{"steps": []any{[]any{"nav", code}}}},
		{"execute", []any{"await page.goto(" + quoted(code) + ")"}},
		{"execute", []any{"await page.mainFrame().goto(" + quoted(code) + ")"}},
		{"execute", []any{"await (await context.newPage()).goto(" + quoted(code) + ")"}},
		{"execute", []any{"await (await context.newCDPSession(page)).send('Page.navigate', {url: " + quoted(code) + "})"}},
		{"nav", []any{"mailto:ada@mail.example"}}, {"nav", []any{"ws://127.0.0.1:1/"}},
	} {
		// Playwright MCP's tools answer a failure as a text.
		if r := p.Try(step.tool, step.params); r.Error == "" && !strings.Contains(string(r.Result), `"failed":true`) {
			t.Errorf("%s %v: %s", step.tool, step.params, r.Result)
		}
	}
	pipetest.Has(t, p.Fail("nav", []any{code}), why)
	pipetest.Has(t, p.Fail("execute", []any{"await page.goto(" + quoted(code) + ")"}), why)
	c.refused(at.session, "Page.navigate", map[string]any{"url": code}, why)
	c.refused("", "Target.createTarget", map[string]any{"url": code}, why)
	if got := p.Text("eval", []any{"document.title"}); got == "taken" {
		t.Errorf("code ran on %s", site)
	}
}

func quoted(text string) string { raw, _ := json.Marshal(text); return string(raw) }
