//go:build evidence

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
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestScriptsAreBounded is quick")
	t.Parallel()
	p := pipetest.StartOn(t, "/login", "--profile", "agent", "--act-outline", "none")
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
		{"if (await page.title()) { const a = 2; a + 1 }", `{"result":3}`, "3"},
		{"const a = 0;\nif (a) {\n  'yes' // so\n} else if (a === 0) {\n  await page.title();\n} else { 1 }", `{"result":"Sign in | Skerry"}`, "Sign in | Skerry"},
		{"try { throw new Error('no') } catch (e) { e.message } finally { 5 }", `{"result":"no"}`, "no"},
		{"{ const list = [1, 2]; list.length }", `{"result":2}`, "2"},
		{"{a: 1}", `{"result":{"a":1}}`, `{"a":1}`},
		{"if (true) { if (false) { 1 } else { `${'}'}` } }", `{"result":"}"}`, "}"},
		{"if (true) { return 'early' } else { 2 }", `{"result":"early"}`, "early"},
		{"const m = `${/[[]/}`; m.length", `{"result":5}`, "5"},
		{"`${/\\(/.test('(')}`\n8", `{"result":8}`, "8"},
		{"if (false) { 1 }", `{}`, "ok"},
		{"for (const n of [1, 2]) { n }", `{}`, "ok"},
		{"if (true) { const f = () => { 1 }; f() }", `{}`, "ok"},
		{`await page.goto("/form")`, `{"result":"Response 200"}`, "Response 200"}, // of the page's document
		{"const to = (name) => page.goto(`/${name}`); await to('slow')", `{"result":"Response 200"}`, "Response 200"},
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
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
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
