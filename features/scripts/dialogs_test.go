//go:build evidence

package scripts_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDialogsFollowEachOther: each dialog gets one answer, the script's if it listens. An
// answer never goes to the next dialog.
func TestDialogsFollowEachOther(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	p := pipetest.Start(t)
	for _, c := range []struct{ name, code, want string }{
		{"all are the script's", `page.on('dialog', async d => { await new Promise(r => setTimeout(r, 30)); await d.accept() });
const all = await page.evaluate(() => [1, 2, 3, 4].map(() => confirm('?')));
page.removeAllListeners('dialog'); all`, `[true,true,true,true]`},
		{"the first is", `const all = [];
for (let i = 0; i < 20; i++) {
	page.once('dialog', d => d.accept());
	all.push(await page.evaluate(() => [1, 2, 3].map(() => confirm('?'))));
}
[...new Set(all.map(String))]`, `["true,false,false"]`},
		{"another follows in a task of its own", `const all = [];
for (let i = 0; i < 20; i++) {
	page.once('dialog', d => d.accept());
	all.push(await page.evaluate(() => { const first = confirm('a'); return new Promise(r => setTimeout(() => r([first, confirm('b')]))) }));
}
[...new Set(all.map(String))]`, `["true,false"]`},
		{"none is", `await page.evaluate(() => [confirm('a'), prompt('b'), alert('c')]).then(String)`, `"false,,"`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want { // takes five seconds for each dialog that is waited for in vain
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p.Call("dialog", pipetest.Object{"action": "accept", "times": 2})
	if got := p.Call("eval", []any{"[1, 2, 3].map(() => confirm('?'))"}); got != "[true,true,false]" {
		t.Errorf("a tool's: %s", got)
	}
}

// TestLateBeforeDialog: a call that times out behind a dialog ends with its own error, and
// the script can still answer the dialog.
func TestLateBeforeDialog(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	p := pipetest.Start(t)
	const late = `const shown = page.waitForEvent('dialog');
await page.setContent('<button onclick="document.title = confirm(1)">ask</button>');
`
	got := pipetest.Execute(p, late+`const e = await page.click('button', {timeout: 2500}).catch(e => e);
await (await shown).accept();
await page.waitForFunction(() => document.title);
return [e.name, await page.title()]`)
	if got != `["TimeoutError","true"]` {
		t.Errorf("%s", got)
	}
	p.Complains("the page shows a dialog (confirm) and waits for its answer", "execute",
		pipetest.List(late+`await page.click('button', {timeout: 1000})`))
}
