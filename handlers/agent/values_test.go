package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestValuesAreToldApart: a script that answers nothing is told from one that answers
// null, or an empty text, by programs and by models.
func TestValuesAreToldApart(t *testing.T) {
	t.Parallel()
	p := startOwn(t, "/login")
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, c := range []struct{ code, want, shown string }{
		{`undefined`, `{}`, "ok"},
		{`const a = 1;`, `{}`, "ok"},
		{`null`, `{"result":null}`, "null"},
		{`''`, `{"result":""}`, `""`},
		{`'ok'`, `{"result":"ok"}`, "ok"},
		{`0`, `{"result":0}`, "0"},
		{`await page.evaluate(() => '')`, `{"result":""}`, `""`},
		{`await page.evaluate(() => null)`, `{"result":null}`, "null"},
		{`await page.evaluate(() => undefined)`, `{}`, "ok"},
	} {
		if got := p.Call("execute", pipetest.Object{"code": c.code}); got != c.want {
			t.Errorf("%s: %s, want %s", c.code, got, c.want)
		}
		if got := shownBy(p, c.code); got != c.shown {
			t.Errorf("%s: a model reads %q, want %q", c.code, got, c.shown)
		}
	}
}

// shownBy is what a client of MCP shows of a script.
func shownBy(p *pipetest.Pipe, code string) string {
	line, _ := json.Marshal(pipetest.Object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": pipetest.Object{"name": "execute", "arguments": pipetest.Object{"code": code}}})
	p.Send(string(line))
	var r struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(p.Line()), &r); err != nil || len(r.Result.Content) == 0 {
		p.T.Fatalf("%v: %+v", err, r)
	}
	return r.Result.Content[len(r.Result.Content)-1].Text
}

// TestLabelsKeepTheirSnapshot: the snapshot of a picture with labels is answered, once,
// also where more code follows.
func TestLabelsKeepTheirSnapshot(t *testing.T) {
	t.Parallel()
	p := start(t, "/login")
	for _, code := range []string{
		"await screenshotWithAccessibilityLabels()",
		"await screenshotWithAccessibilityLabels(); await page.title()",
		"await screenshotWithAccessibilityLabels({page}); const t = await page.title();",
		"console.log('seen: ' + await screenshotWithAccessibilityLabels()); 1",
	} {
		got := p.Call("execute", pipetest.Object{"code": code})
		if n := strings.Count(got, "Sign in"); n == 0 || strings.Count(got, `\"Password\"`) != 1 && strings.Count(got, "Password") != 1 {
			t.Errorf("%s: %.600s", code, got)
		}
	}
}

// TestPagesStandForLocators: getCleanHTML takes a page for a locator, and what is neither
// is refused by name.
func TestPagesStandForLocators(t *testing.T) {
	t.Parallel()
	p := start(t, "/login")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "await getCleanHTML({locator: page})"}), "<form", "Password")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "await getCleanHTML({locator: page, search: /Password/})"}), "Password")
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await getCleanHTML({locator: context})"}), "expected a locator, got a BrowserContext")
}
