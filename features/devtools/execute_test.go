package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestScriptsDebugAsPeopleWriteIt runs the debugger with scripts as people
// write them.
func TestScriptsDebugAsPeopleWriteIt(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	got := pipetest.Execute(p, `const cdp = await getCDPSession({ page });
const dbg = createDebugger({ cdp });
await dbg.setBreakpoint({ file: 'debug.js', line: 6 });
const done = page.click('#total');
await dbg.waitForPaused();
const vars = await dbg.inspectLocalVariables();
const { function: name, line } = await dbg.getLocation();
const paused = dbg.isPaused();
const bps = await dbg.listBreakpoints();
await dbg.deleteBreakpoint({ breakpointId: bps[0].id });
await dbg.resume();
await done;
[vars, name, line, paused, dbg.isPaused(), bps.length, (await dbg.listBreakpoints()).length, await page.textContent('#result')]`)
	sameJSON(t, got, `[{"a":0,"b":4,"sum":"(not set yet)"},"add",6,true,false,1,0,"Total: 133"]`)
}

// TestDebuggerIsKeptFromCallToCall: a script that ends while the page is paused
// leaves it paused. Other tools report it, and the next script goes on. Scripts edit code too.
func TestDebuggerIsKeptFromCallToCall(t *testing.T) {
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

func TestRestOfTheDebuggerInScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	sameJSON(t, pipetest.Execute(p, `const dbg = createDebugger();
await dbg.enable();
await dbg.setBlackboxPatterns({ patterns: [/debug\.js/] });
await dbg.setPauseOnExceptions({ state: 'all' });
await page.click('#catch');
await dbg.setBlackboxPatterns({ patterns: [] });
const done = page.click('#throw');
await dbg.waitForPaused();
const { reason, exception } = await dbg.getLocation();
await dbg.resume();
await done;
await dbg.setPauseOnExceptions({ state: 'none' });
const asked = (await dbg.pause()).state;
const late = await dbg.waitForPaused({ timeout: 50 }).catch((e) => e.message);
await dbg.resume();
[(await dbg.listScripts({ search: 'debug.js' })).length, (await dbg.listScripts({ search: /DEBUG\.js$/i })).length, (await dbg.listScripts({ search: /^debug/ })).length, reason, exception, asked, /did not pause in time/.test(late)]`),
		`[1,1,0,"exception","RangeError: the lamp is out","pausing",true]`)
	for code, want := range map[string]string{
		"await createDebugger().setBreakpoint({fil: 'x', line: 1})":                           `unknown member "fil"`,
		"createDebugger({cdp: {}})":                                                           "a session that getCDPSession({page}) returned",
		"await createDebugger().inspectLocalVariables()":                                      "p1 is not paused",
		"await createDebugger().resume()":                                                     "p1 is not paused",
		"await createEditor().edit({url: 'debug.js', oldString: 'const sum', newString: ''})": "occurs 2 times",
		"await getStylesForLocator({locator: '#note'})":                                       "expected a locator",
		"formatStylesAsText({})":                                                              "takes what getStylesForLocator returned",
		"await getReactSource({locator: page.locator('h1')})":                                 "nothing on this page was rendered by React",
	} {
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": code}), want)
	}
}
