package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestWaitsForElementsAreBounded: what acts on an element, or reads one, has ten
// seconds where nobody says, and leaves the script the rest.
func TestWaitsForElementsAreBounded(t *testing.T) {
	pipetest.InCI(t, "it waits for what never comes")
	t.Parallel()
	p := start(t, "/form")
	if got := pipetest.Execute(p, `const waits = [page.click('#none'), page.locator('#none').textContent(), page.locator('#none').evaluate(e => 1), page.locator('#none').boundingBox(), expect(page.locator('#none')).toBeVisible()];
(await Promise.all(waits.map(w => w.catch(e => /(\d+)ms/.exec(e.message)[1])))).join()`); got != `"10000,10000,10000,10000,5000"` {
		t.Errorf("waits took %s", got)
	}
}

// TestScriptsAreBounded: whatever a script does, the session goes on, and what is
// kept is kept.
func TestScriptsAreBounded(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := start(t, "/form")
	pipetest.Execute(p, "state.kept = 7")
	const ended = "0.4 s" // "did not end within", and on a busy machine "no answer after"
	for _, c := range []struct{ code, want string }{
		{`while (true) {}`, ended},
		{`await new Promise(() => {})`, ended},
		{`while (true) { await 0 }`, ended},
		{`try { while (true) { await 0 } } finally { console.log('ended') }`, ended},
		{`for await (const x of (async function* () { while (true) yield 1 })()) {}`, ended},
		{`/(?=a)(a+)+$/.test('a'.repeat(60) + 'b')`, ended},
		{`'x'.repeat(3e4).replaceAll('x', 'y'.repeat(3e4))`, "RangeError: Invalid string length"},
		{`(function f() { f() })()`, "RangeError: Maximum call stack size exceeded (line 1"},
		{`new Uint8Array(1e15)`, "RangeError: Invalid typed array length"},
		{`'x'.repeat(1e9)`, "RangeError: Invalid string length"},
		{`1n << (2n ** 40n)`, "RangeError: Maximum BigInt size exceeded"},
	} {
		timeout := 20.0
		if c.want == ended {
			timeout = 0.4
		}
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": c.code}, "timeout", timeout), c.want)
	}
	if got := pipetest.Execute(p, "[state.kept, typeof process.exit, typeof globalThis.require, await page.title()]"); got != `[7,"undefined","undefined","Form | Skerry"]` {
		t.Errorf("afterwards: %s", got)
	}
}

// TestAScriptThatIsStuckIsLeftBehind: some functions of Node's can't be
// interrupted. The process is ended then, and the session goes on in another.
func TestAScriptThatIsStuckIsLeftBehind(t *testing.T) {
	pipetest.InCI(t, "it waits for what never comes")
	t.Parallel()
	p := startTelling(t, "/login")
	pipetest.Execute(p, `state.x = 1; await page.route('**/routed', r => r.fulfill({body: 'by the script'})); 0`)
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": `require('crypto').pbkdf2Sync('a', 'b', 2e9, 64, 'sha512')`}, "timeout", 0.4), "did not end within 0.4 s", "if it stays there, the next script gets a fresh process and an empty state")
	got := p.Call("execute", pipetest.Object{"code": "[state.x ?? null, await page.title()]"})
	pipetest.Has(t, got, `"result":[null,"Sign in | Skerry"]`, "state is empty")
	if got := p.Call("eval", []string{"fetch('/routed').then(r => r.status)"}); got != "404" {
		t.Errorf("a request that the lost script had routed: %s", got)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	p := start(t, "/login")
	pipetest.Execute(p, "state.x = 1; await context.addCookies([{name: 'a', value: 'b', url: page.url()}]); 0")
	page := p.Text("reset", nil)
	if page == "p1" {
		t.Error("reset kept the page")
	}
	if got := pipetest.Execute(p, "[state.x ?? null, (await context.cookies()).length, page.url()]"); got != `[null,0,"about:blank"]` {
		t.Errorf("after reset: %s", got)
	}
	pipetest.Has(t, p.Fail("title", nil, "page", "p1"), "p1")
}
