//go:build evidence

package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestScriptsDebugAsPeopleWriteIt runs the debugger with scripts as people
// write them.
func TestScriptsDebugAsPeopleWriteIt(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
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

func TestRestOfTheDebuggerInScripts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
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
