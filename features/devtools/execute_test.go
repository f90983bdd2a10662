package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDebuggerIsKeptFromCallToCall: a script that ends while the page is paused
// leaves it paused. Other tools report it, and the next script goes on. Scripts edit code too.
func TestDebuggerIsKeptFromCallToCall(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	pipetest.Has(t, pipetest.Execute(p, `state.dbg = createDebugger({ cdp: await getCDPSession({ page }) });
const bp = await state.dbg.setBreakpoint({ file: 'debug.js', line: 13, condition: 'item.price > 100' });
page.click('#total');
await state.dbg.waitForPaused({ timeout: 20000 });
bp`),
		`"condition":"item.price > 100"`, `"breakpointId":"b1"`, `"line":13`)
	pipetest.Has(t, p.Fail("title", nil), "title: p1 is paused in the debugger at debug.js:13:5, in total")
	same(t, pipetest.Get[where](p, "debug-where", nil).place(), `["total",13]`) // tools see the same debugger
	sameJSON(t, pipetest.Execute(p, `const { dbg } = state;
[await dbg.evaluate({ expression: 'item.name' }), await dbg.evaluate({ expression: 'typeof list', frame: 1 }),
 (await dbg.stepInto()).function, (await dbg.stepOver()).line, (await dbg.stepOut()).function,
 (await dbg.inspectScopes({ frame: 1 })).function, (await dbg.inspectLocalVariables()).result]`),
		`["lens","undefined","add",7,"total","onTotal",133]`)
	pipetest.Execute(p, "await state.dbg.deleteBreakpoint({ breakpointId: 'b1' }); await state.dbg.resume()")
	same(t, p.Text("txt", []string{"#result"}), "Total: 133")
	p.Call("reset", nil)
	p.Call("nav", []string{"/debug"})
	sameJSON(t, pipetest.Execute(p, "[typeof state.dbg, createDebugger({ page }).isPaused()]"), `["undefined",false]`)

	// The editor of scripts.
	sameJSON(t, pipetest.Execute(p, `const editor = createEditor({ cdp: await getCDPSession({ page }) });
const found = await editor.search({ url: 'debug.js', query: /FUNCTION add/i });
const { line } = await editor.edit({ url: 'debug.js', oldString: 'return sum;', newString: 'return sum * 2;', reload: true });
await editor.edit({ url: /debug\.css$/, oldString: 'rgb(0, 60, 120)', newString: 'rgb(9, 9, 9)' });
await page.click('#total');
[found[0].line, line, await editor.read({ url: 'debug.js', startLine: 7, endLine: 7 }), (await editor.list({ search: 'debug.css' })).length,
 await page.textContent('#result'), await page.locator('#panel').evaluate((e) => getComputedStyle(e).color)]`),
		`[5,7,"7 |   return sum * 2;\n(goes on to line 45)",1,"Total: 308","rgb(9, 9, 9)"]`)
}
