//go:build evidence

package agent_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPlaywrightAsPeopleWriteIt runs scripts one after the other in one
// session.
func TestPlaywrightAsPeopleWriteIt(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestScriptsAreBounded is quick")
	t.Parallel()
	p := start(t, "/shop")
	for _, c := range []struct{ code, want string }{
		{`1 + 1`, `2`},
		{`if (await page.title()) { const v = 4; v } else { 5 }`, `4`},
		{`try { await page.title(); 6 } finally { 7 }`, `6`},
		{`await page.title()`, `"Shop | Skerry"`},
		{`await page.getByRole('link', {name: /brass storm/i}).click(); new URL(page.url()).pathname`, `"/shop/p/1"`},
		{`await page.goto('/popups');
const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#blank')]);
await popup.waitForLoadState();
const path = new URL(popup.url()).pathname; await popup.close(); return [path, popup === page, popup.context() === context]`, `["/popup-child",false,true]`},
		{`await page.goto('/table?rows=3');
const ids = [];
for (const row of await page.locator('tbody tr').all()) ids.push(await row.locator('td').first().textContent());
ids`, `["1001","1002","1003"]`},
		{`await page.locator('tbody tr').evaluateAll(els => els.map(e => e.id))`, `["order-1001","order-1002","order-1003"]`},
		{`await page.evaluate(() => ({big: 1e21, nan: NaN, date: new Date(0), none: undefined}))`, `{"big":1e+21,"nan":"NaN","date":"1970-01-01T00:00:00.000Z"}`},
		{`await page.evaluate(([a, b]) => (a + b), [1, 2])`, `3`},
		{`await page.route('**/mocked', r => r.fulfill({status: 201, json: {hi: 1}})); await page.evaluate(() => fetch('/mocked').then(async r => [r.status, await r.json()]))`, `[201,{"hi":1}]`},
		{`await page.unroute('**/mocked'); (await page.evaluate(() => fetch('/mocked').then(r => r.status)))`, `404`},
		{`const [m] = await Promise.all([page.waitForEvent('console'), page.evaluate(() => console.warn('yo', 1))]); [m.type(), m.text()]`, `["warning","yo 1"]`},
		{`await expect(page.locator('h1')).toHaveText('Orders'); await expect(page.locator('h1')).not.toHaveText(/lamp/); await expect(page).toHaveURL(/table/); expect({a: [1]}).toEqual({a: [1]}); 'held'`, `"held"`},
		{`page.once('dialog', d => d.accept()); await page.evaluate(() => confirm('sure?'))`, `true`},
		{`await page.exposeFunction('double', x => x * 2); await page.evaluate(() => double(21))`, `42`},
		{`const h = await page.evaluateHandle(() => document.body); await page.evaluate(b => b.tagName, h)`, `"BODY"`},
		{`const h = await page.waitForFunction(() => document.querySelector('h1')); [await h.textContent(), h.asElement() === h]`, `["Orders",true]`},
		{`const h = await page.locator('h1').evaluateHandle((e, n) => [e.parentElement, n], 7); const all = await h.getProperties();
[[...all.keys()], await all.get('0').evaluate(e => e.tagName), await (await h.getProperty('1')).jsonValue()]`, `[["0","1"],"MAIN",7]`},
		{`await page.locator('h1').getAttribute('nope')`, `null`},
		{`const a = (r, q) => r.fulfill({body: 'a' + q.method()}), b = r => r.fulfill({body: 'b'}), get = () => page.evaluate(() => fetch('/who').then(r => r.text()));
await page.route('**/who', a); await page.route('**/who', b); const first = await get(); await page.unroute('**/who', b); const second = await get();
await page.unroute('**/who'); [first, second, (await get()).length > 10]`, `["b","aGET",true]`},
		{`await page.route(/login/, async r => { const was = await r.fetch(); await r.fulfill({response: was, body: (await was.text()).replace('Sign in', 'Hooked')}) });
await page.goto('/login'); const hooked = await page.title(); await page.unroute(/login/); await page.reload(); [hooked, await page.title()]`, `["Hooked | Skerry","Sign in | Skerry"]`},
		{`await context.storageState({path: 'state.json'}); const c = await browser.newContext({storageState: 'state.json', recordHar: {path: 'a.har', urlFilter: /login/}});
const p = await c.newPage(); await p.goto(page.url()); await c.close(); const fs = require('fs'); const size = fs.statSync('a.har').size; fs.unlinkSync('a.har'); fs.unlinkSync('state.json'); size > 500`, `true`},
		{`const fs = require('fs'); await context.tracing.start({snapshots: true}); await page.reload(); await context.tracing.stop({path: 'trace.zip'});
const size = fs.statSync('trace.zip').size; fs.unlinkSync('trace.zip'); size > 1000`, `true`},
		{`await context.addCookies([{name: 'k', value: 'v', domain: '127.0.0.1', path: '/'}]); (await context.cookies()).map(c => c.name + c.path)`, `["k/"]`},
		{`const [e] = await Promise.all([page.waitForEvent('pageerror'), page.evaluate(() => { setTimeout(() => { throw new TypeError('boom') }) })]); [e.name, e.message]`, `["TypeError","boom"]`},
		{`console.log(page.locator('h1')); await page.goto('/table?rows=3'); 0`, `0`},
		{`const c = await getCDPSession({page}); (await c.send('Runtime.evaluate', {expression: '1 + 2'})).result.value`, `3`},
		{`(await fetch('/login')).status`, `200`},
		{`await page.setContent('<input autofocus id=i>'); const keys = []; await page.exposeFunction('heard', k => { keys.push(k) }); await page.evaluate(() => i.addEventListener('keydown', e => heard(e.key)));
await page.focus('#i'); await page.keyboard.type('Ab é', {delay: 1}); [await page.inputValue('#i'), keys]`, `["Ab é",["A","b"," "]]`},
		{`page.viewportSize()`, `{"width":1280,"height":720}`},
		{`await page.goto('/form'); await page.setInputFiles('input[type=file]', {name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hi')}); await page.locator('input[type=file]').evaluate(e => e.files[0].name)`, `"a.txt"`},
		{`const crypto = require('crypto'); const page = context.pages()[0]; [crypto.randomUUID().length, await page.title()]`, `[36,"Form | Skerry"]`},
		{"import type { Page } from 'playwright';\nimport fs, { existsSync as exists } from 'node:fs';\nimport * as path from \"path\"\nconst { EOL } = await import('os'); [fs.existsSync === exists, path.basename('a/b'), EOL]", `[true,"b","\n"]`},
		{`await page.evaluate(async () => (await import('data:text/javascript,export const x = 5')).x)`, `5`},
		{`await page.setContent('<button>It\'s a/b</button><p>5\u20ac \u00e9t\u00e9</p><label>Don\'t <input placeholder="a/b"></label><div title="x >> y">x >> y</div>');
const found = [page.getByText(/It's a\/b/), page.getByRole('button', {name: /^it's a\/b$/i, disabled: false}), page.getByText(/\u20ac \S/), page.getByText(/ \p{L}t\p{L}/u), page.getByLabel(/don't/i),
  page.getByPlaceholder(/a\/b/), page.getByTitle(/>> y/), page.getByText(/^(?!It)x/), page.locator('button', {hasText: /it's/i}), page.locator('p').filter({hasNotText: /x/}), page.mainFrame().getByText(/(.)t\1/)];
await expect(page.locator('p')).toHaveText(/\u20ac [^]t/); const counts = []; for (const l of found) counts.push(await l.count()); counts.join('')`, `"11111111111"`},
		{`await page.goto('/login'); await Promise.all([page.waitForURL(/form(?!s)/), page.evaluate(() => { location.href = '/form' })]); new URL(page.url()).pathname`, `"/form"`},
		{`await page.route(/nothing(?!x)/, r => r.fulfill({body: 'routed'})); const t = await page.evaluate(() => fetch('/nothing').then(r => r.text()));
await page.unroute(/nothing(?!x)/); [t, await page.evaluate(() => fetch('/nothing').then(r => r.status))]`, `["routed",404]`},
		{`const self = {list: [1, undefined, null], big: 10n ** 20n, map: [-0, NaN], re: /a\/b/gi, bytes: new Uint8Array([1, 255]), url: new URL('http://a.example/x'), date: new Date(7), $n: {$u: 1}}; self.self = self;
const there = await page.evaluate((o) => [o.self === o, o.list[1] === undefined, o.list[2] === null, o.big === 10n ** 20n, Object.is(o.map[1], NaN) && Object.is(o.map[0], -0), o.re instanceof RegExp && o.re.flags,
  o.bytes instanceof Uint8Array && o.bytes[1], o.url.host, o.date.getTime(), o.$n.$u], self);
const o = await page.evaluate((o) => o, self);
[...there, o.self === o, o.map.length, o.re.source, o.bytes[1], typeof o.big, o.$n.$u, await page.evaluate(([el, re]) => re.test(el.tagName), [await page.$('body'), /^body$/i])]`,
			`[true,true,true,true,true,"gi",255,"a.example",7,1,true,2,"a\\/b",255,"bigint",1,true]`},
		{`await page.waitForFunction(({re}) => re.test(document.title) && document.title, {re: /skerry/i}).then(h => h.jsonValue())`, `"Form | Skerry"`},
		{`await page.addInitScript(({n}) => { window.given = n + 1 }, {n: 1}); await page.reload(); await page.evaluate(() => given)`, `2`},
		{`await page.evaluate(() => { throw new TypeError('there') }).catch(e => e.message.split('\n')[0])`, `"page.evaluate: TypeError: there"`},
		{`const form = new FormData(); form.append('a', '1'); form.append('b', new File(['hi'], 'x.txt', {type: 'text/plain'})); let sent = ''; await page.route('**/take', r => r.fallback());
const r = await fetch('/upload', {method: 'POST', body: form}); [r.status < 500, await fetch('/', {signal: AbortSignal.abort()}).catch(e => e.name)]`, `[true,"AbortError"]`},
		{`const promise = new Promise(resolve => setTimeout(resolve, 5, 7)); [await promise, structuredClone(new Map([[1, new Date(0)]])).get(1).getTime(), [1, 2].at(-1), 'ß'.normalize(), new Intl.NumberFormat('de').format(1.5)]`, `[7,0,2,"ß","1,5"]`},
		{`['b10', 'B9', 'a'].sort((a, b) => a.localeCompare(b, undefined, {numeric: true, sensitivity: 'base'}))`, `["a","B9","b10"]`},
		{`await expect(page.locator('h1')).toHaveText(/^(?!x)/); await expect(page.locator('h1')).not.toHaveText(/^(?!F)/); await expect(page).toHaveTitle(/(.)\|?.*\1/); await expect(page.locator('h1')).not.toHaveText('x'); 1`, `1`},
		{`async (page) => { return await page.title() }`, `"Form | Skerry"`},
		{`async ({ page, context }) => [await page.title(), context.pages().length];`, `["Form | Skerry",1]`},
		{`page.title`, `"[Function title]"`},
		{`const o = {}; o.toString = () => 'mine'; const e = new Error('x'); e.name = 'Mine'; e.message = 'y'; class A { constructor() { this.toString = () => 'a'; this.constructor = 1 } }
Array.prototype.last = function () { return this[this.length - 1] }; const list = [1, 2]; list.push = (x) => 'pushed ' + x; const fn = () => 1; fn.call = 2; globalThis.mine = 3; const old = page.title; page.title = async () => 'faked ' + await old.call(page);
const r = [String(o), String(e), String(new A()), list.last(), list.push(3), fn.call, mine, await page.title()]; delete page.title; [...r, await page.title()]`, `["mine","Mine: y","a",2,"pushed 3",2,3,"faked Form | Skerry","Form | Skerry"]`},
		{`Array.prototype.map = 1; JSON.parse = null; Array.prototype.ours = 7; 0`, `0`},
		{`[[1].map(String), JSON.parse('2'), [].ours]`, `[["1"],2,7]`},
		{`state = {kept: 1}; 0`, `0`},
		{`state.kept`, `1`},
		{`interface Row { id: string }
const ids: string[] = ['a', 'b']; const rows = ids.map((id): Row => ({id})); rows as Row[]`, `[{"id":"a"},{"id":"b"}]`},
		{`async function* titles() { for (const p of context.pages()) yield await p.title() }
const all = []; for await (const t of titles()) all.push(t); all`, `["Form | Skerry"]`},
		{`for await (const n of [page.locator('h1').count()]) state.count = n; state.count`, `1`},
		{`state.n = 1; state.page = page; 0`, `0`},
		{`state.n += 1; [state.n, state.page === page]`, `[2,true]`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

// TestHelpersTakeWhatScriptsGive: whole numbers, patterns and nothing at all,
// and say what they don't take.
func TestHelpersTakeWhatScriptsGive(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestErrorsOfScripts of features/scripts is quick")
	t.Parallel()
	p := start(t, "/login")
	pipetest.Execute(p, `await page.setContent('<main><p id="a">ash 1</p>\n<p id="b">Beech 2</p>\n<p id="c">cedar 3</p></main>'); await page.evaluate(() => ['lamp one', 'Lamp two', 'wick three'].forEach(l => console.log(l)))`)
	for _, c := range []struct{ code, want string }{
		{`await getLatestLogs({count: 1})`, `["[log] wick three"]`},
		{`await getLatestLogs({page, count: 2, search: /lamp/i})`, `["[log] lamp one","[log] Lamp two"]`},
		{`await getLatestLogs({search: /^\[log\] Lamp/})`, `["[log] Lamp two"]`},
		{`await getLatestLogs({search: 'Lamp', count: undefined})`, `["[log] Lamp two"]`},
		{`await getLatestLogs({count: 0})`, `[]`},
		{`(await getLatestLogs()).length`, `3`},
		{`await getCleanHTML({selector: 'main', search: /BEECH \d/i})`, `"<p id=\"b\">Beech 2</p>"`},
		{`(await getCleanHTML({locator: page.locator('#c')})).includes('cedar')`, `true`},
		{`(await accessibilitySnapshot({interactive: false, depth: 1})).includes('cedar')`, `false`},
		{`(await accessibilitySnapshot({selector: '#c'})).includes('cedar')`, `true`},
		// A page that is never quiet: what ends the wait is the number.
		{`const asked = page.waitForRequest('**/never/doc'); await page.evaluate(() => { void fetch('/never/doc').catch(() => 0) }); await asked;
const {success, waitTimeMs} = await waitForPageLoad({timeout: 300}); [success, waitTimeMs < 20000]`, `[false,true]`},
		// What is caught is Playwright's own error.
		{`page.setDefaultTimeout(150); const e = await page.locator('#none').click().catch(e => e); page.setDefaultTimeout(30000); [e.name, e.message.split('\n')[0]]`, `["TimeoutError","locator.click: Timeout 150ms exceeded."]`},
		{`const other = await context.newPage(); context.setDefaultTimeout(150); const e = await other.locator('#none').evaluate(e => 1).catch(e => e.message); await other.close(); context.setDefaultTimeout(30000); e.split('\n')[0]`, `"locator.evaluate: Timeout 150ms exceeded."`},
		{`await getLatestLogs({search: /(?!x)(?<=[Ll])amp/})`, `["[log] lamp one","[log] Lamp two"]`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
	for code, want := range map[string]string{
		`await getLatestLogs({conut: 1})`:                                              `there is no option "conut"; it takes count, search`,
		`await getLatestLogs({count: '1'})`:                                            "count: expected a number, got a text",
		`await getLatestLogs({count: 1.5})`:                                            "count: expected a whole number, got 1.5",
		`await getLatestLogs({search: 7})`:                                             "search: expected a text or a pattern, got a number",
		`await getCleanHTML({locator: 'main'})`:                                        "locator: expected a locator, such as $('e5'), got a text",
		`await showAriaRefLabels({interactive: 1})`:                                    `there is no option "interactive"; it takes interactiveOnly`,
		`await hideAriaRefLabels({now: true})`:                                         `there is no option "now"; it takes none`,
		`await accessibilitySnapshot({depth: true})`:                                   "depth: expected a number, got true or false",
		`await getStylesForLocator({locator: page.locator('body'), computed: [null]})`: "computed: [0]: expected a text, got null",
	} {
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": code}), want)
	}
}

// TestErrorsSayMore: what is known besides of a script's error, and in which line
// it is.
func TestErrorsSayMore(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestErrorsOfScripts of features/scripts is quick")
	t.Parallel()
	p := start(t, "/form")
	for _, c := range []struct{ code, want string }{
		{`throw new TypeError('no')`, "TypeError: no (line 1"},
		{"const n: number = 1;\n\nthrow new Error('typed')", "typed (line 3 of"},
		{"const n: number = 1;\nlet x = ;", "SyntaxError: Unexpected \";\" (line 2)"},
		{"1\nlet x = ;", "SyntaxError: Unexpected token ';' (line 2)"},
		{"import fs from 'fs'\n\nthrow new Error('imported')", "imported (line 3 of"},
		{`await import('./mine.js')`, `"./mine.js" is not allowed`},
		{"const a = 1;\nconst a = 2", "already been declared (line 2)"},
		{`await page.evaluate(f => f, () => 1)`, "unexpected value: () => 1"},
		{`await expect(page.locator('h1')).toHaveText(/^(?=x)/, {timeout: 200})`, `Expected pattern: /^(?=x)/ Received string: "Form"`},
		{`await expect(page).not.toHaveURL(/form(?!s)/, {timeout: 200})`, `not.toHaveURL`},
		{`require('child_process')`, `"child_process" is not allowed`},
		{`require('fs').readFileSync('/etc/passwd')`, "outside of the allowed folders"},
		{`await page.screenshot({path: '/etc/x.png'})`, "outside of the allowed folders"},
		{`await page.setInputFiles('input[type=file]', '/etc/passwd')`, "outside of the allowed folders"},
		{`await browser.browserType().launch()`, "a script works in the browser that runs"},
		{"const f = async () => {\n  await page.locator('nope').click({timeout: 200});\n};\nawait f()", "locator.click: Timeout 200ms exceeded: nothing matches nope (line 2 of"},
		{`await page.getByRole('button', {name: 'Nobody'}).click({timeout: 200})`, `nothing matches role=button[name="Nobody"i]; button here: "`},
		{`await page.waitForURL('**/other', {timeout: 200})`, "page.waitForURL: Timeout 200ms exceeded: it is at http"},
		{`await page.locator('h1').boundingBox().then(b => { throw new Error('box ' + (b.width > 0)) })`, "box true"},
		{`(1).toLocaleString('en-US', {maximumFractionDigits: 1e9})`, "RangeError: maximumFractionDigits value is out of range"},
		{`document.title`, "document is not defined; the page has it: page.evaluate("},
		{"1\nawait page.locator('h1').fill('x')", "Element is not an <input>"},
		{"1\nawait page.click('h1', {button: 'x'})", "(line 2 of"},
		{`await page.evaluate(() => { throw new TypeError('there') })`, "page.evaluate: TypeError: there (line 1 of"},
		{`console.log('seen'); throw new Error('after')`, "console: seen"},
		{`await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<b class=two hidden>A</b><b class=two>B</b>'));
await page.locator('.two').first().click({timeout: 200})`, "is not visible; of 2 matches this is nth=0, and nth=1 is visible"},
		{`await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button class=both hidden>A</button><button class=both>B</button>'));
await accessibilitySnapshot(); await page.locator('.both').first().click({timeout: 200})`, "of 2 matches this is nth=0, and nth=1 is visible (e"},
	} {
		var said string
		for range patient(c.want) {
			if said = p.Fail("execute", pipetest.Object{"code": c.code}, "timeout", 20); strings.Contains(said, c.want) {
				break
			}
		}
		pipetest.Has(t, said, c.want)
	}
}

// patient is how often a script is tried: a page that is busy may not tell in the
// short time after a deadline what was the matter.
func patient(want string) int {
	if strings.Contains(want, "nothing matches") {
		return 5
	}
	return 1
}

func TestModulesAndFiles(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestScriptsAreBounded is quick")
	t.Parallel()
	p := start(t, "/login")
	file := filepath.Join(t.TempDir(), "a.txt")
	for _, c := range []struct{ code, want string }{
		{`const fs = require('node:fs'); fs.writeFileSync(` + "`" + file + "`" + `, 'hey'); fs.readFileSync(` + "`" + file + "`" + `, 'utf8')`, `"hey"`},
		{`require('path').join('a', '../b', 'c.txt')`, `"b/c.txt"`},
		{`require('crypto').createHash('sha256').update('a').digest('hex').slice(0, 8)`, `"ca978112"`},
		{`const z = require('zlib'); z.gunzipSync(z.gzipSync('hello')).toString()`, `"hello"`},
		{`const E = require('events'); const e = new E(); let n = 0; e.on('x', v => { n = v }); e.emit('x', 5); n`, `5`},
		{`require('util').format('%s is %d', 'a', 1)`, `"a is 1"`},
		{`require('assert').strictEqual(1, 1); require('querystring').stringify({a: 1, b: 'x y'})`, `"a=1&b=x%20y"`},
		{`new Promise(ok => setTimeout(() => ok('later'), 5))`, `"later"`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "hey" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

func TestConsoleAndPicturesAreAnswered(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAnswersAreBounded is quick")
	t.Parallel()
	p := start(t, "/login")
	var r struct {
		Result  json.RawMessage
		Console []struct{ Level, Text string }
		Images  []struct{ MIME, Base64 string }
	}
	raw := p.Call("execute", pipetest.Object{"code": "console.log('a', {b: 1}); console.error('c'); await page.screenshot()"})
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Console) != 2 || r.Console[0].Text != `a {"b":1}` || r.Console[1].Level != "error" {
		t.Errorf("console: %+v", r.Console)
	}
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "await new Promise((ended) => { page.click('#never', {timeout: 50}).finally(ended) }); await page.waitForTimeout(10)"}), "nobody awaited this: ", "TimeoutError")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "console.log(page.locator('h1'), page)"}), "Locator@h1 page p1")
	if len(r.Images) != 1 || r.Images[0].MIME != "image/png" || string(r.Result) != `"[image 1]"` {
		t.Errorf("result %s, %d images", r.Result, len(r.Images))
	}
	if got := pipetest.Execute(p, "await screenshotWithAccessibilityLabels({page})"); !strings.Contains(got, "[ref=") {
		t.Errorf("labelled screenshot: %s", got)
	}
}
