package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

const locatePage = `
<form id=order><label>Customer name <input id=name></label> <label for=no>Customer no.</label> <input id=no placeholder="Search all"></form>
<textarea id=notes aria-label="Notes" title="Free text"></textarea> <textarea id=other aria-label="Notes of others"></textarea>
<button data-testid=save id=draft>Save draft</button> <button data-testid=save-all id=all>Save all</button>
<img id=lamp alt="The lamp" src="data:,"> <x-y title=x id=css></x-y> <input id=quoted aria-label='Bob&#39;s "file" >> x'>
<iframe id=frame srcdoc="<label>Inner field <input id=inner></label>"></iframe>`

// TestLocateAsPeopleDo: each engine, in every form, in chains and in frames;
// what was CSS stays CSS.
func TestLocateAsPeopleDo(t *testing.T) {
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": locatePage})
	p.Call("nav", list(site+"/"))
	for _, c := range []struct{ sel, id string }{
		{`label=customer name`, "name"}, {`label="Customer no."`, "no"}, {`label='Notes'`, "notes"}, {`label=/^notes of/i`, "other"},
		{`placeholder=search`, "no"}, {`placeholder="Search all"`, "no"}, {`alt=lamp`, "lamp"}, {`alt=/lamp$/`, "lamp"}, {`title=free`, "notes"}, {`title="x"`, "css"},
		{`testid=save`, "draft"}, {`testid="save-all"`, "all"}, {`testid=/all/`, "all"},
		{`#order >> label=customer`, "name"}, {`form >> label=customer >> nth=1`, "no"}, {`label=Bob's "file" >> nth=0`, "quoted"}, {`label="Bob's \"file\" >> x"`, "quoted"},
		{`form >> internal:has="label=\"Customer no.\""`, "order"}, {`[title=x]`, "css"}, {`[data-testid=save-all]`, "all"},
		{`#frame >> internal:control=enter-frame >> label=inner field`, "inner"},
	} {
		p.T = t
		if got := p.Try("attr", pipetest.Object{"sel": c.sel, "name": "id"}); string(got.Result) != `"`+c.id+`"` {
			t.Errorf("%s: got %s %s, want %s", c.sel, got.Result, got.Error, c.id)
		}
	}
	pipetest.Steps(p,
		does("fill", list("label=customer name", "Ada"), "null"),
		does("value", list("#name"), `"Ada"`),
		does("browser_fill", pipetest.Object{"selector": "label=Customer no.", "value": "7"}, "!unknown method"),
		does("page.fill", pipetest.Object{"selector": "label=Customer no.", "value": "7"}, `{"ok":true}`),
		does("expect-value", list("placeholder=Search all", "7"), "null"),
		does("count", list("label=notes"), "2"),
		does("find.byRole", list("textbox", "notes"), `{"selector":"role=textbox[name=/notes/i] >> nth=0","count":2}`),
		does("find.byRole", list("textbox", "Notes", true), `{"selector":"role=textbox[name=\"Notes\"]","count":1}`),
		does("frame", list("#frame"), ""),
		does("type", list("label=inner", "x"), "null"),
		does("frame", nil, ""),
		does("execute", pipetest.Object{"code": "await page.locator('label=Customer name').inputValue()"}, `~"Ada"`),
		does("execute", pipetest.Object{"code": "await page.inputValue('testid=none', {timeout: 300})"}, `!page.inputValue: Timeout 300ms exceeded: nothing matches testid=none; testid here: "save", "save-all"`),
	)
}

// TestLongSelectors: the driver parses selectors for everybody, so a long one is
// refused before it gets there, whoever writes it. A script's own Playwright parses
// its own.
func TestLongSelectors(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLocateAsPeopleDo is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": locatePage})
	const refused = "!the selector has 2"
	long := strings.Repeat("a,", 10_000) + "#name"
	script := func(code string) pipetest.Object {
		return pipetest.Object{"code": strings.ReplaceAll(code, "LONG", "'a,'.repeat(10000) + '#name'")}
	}
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("count", list(long), refused),
		does("click", list(long), refused),
		does("attr", list("#order >> "+long, "id"), refused),
		does("drag", list("#order", long), refused),
		does("page.click", pipetest.Object{"selector": long}, refused),
		does("find.byRole", pipetest.Object{"role": "button", "name": strings.Repeat("n", 20_000)}, refused),
		does("execute", script("await getCleanHTML({locator: page.locator(LONG)})"), refused),
		does("execute", script("await page.locator(LONG).count()"), "~1"),
		does("count", list(long[len(long)-9001:]), "1"),
	)
}
