//go:build evidence

package scripts_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSincePlaywright152: what Playwright added from 1.53 to 1.60 works in scripts, as
// docs/peers.md says of each line. Each case returns true.
func TestSincePlaywright152(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	p, dir := pipetest.SharedIn(t, "--profile", "agent")
	p.Call("nav", []string{"/form"})
	for name, code := range map[string]string{
		// 1.53
		"locator.describe":     `String(page.locator('h1').describe('the heading')) === 'the heading'`,
		"getByRole in locator": `await page.goto('/form'); await page.locator('form').getByRole('textbox').count() > 0`,
		// 1.54
		"partition keys of cookies": `const c = await browser.newContext(); await c.addCookies([{name: 'a', value: 'b', url: 'https://site.example', secure: true, sameSite: 'None', partitionKey: 'https://top.example'}]);
			const [{partitionKey}] = await c.cookies(); await c.close(); partitionKey === 'https://top.example'`,
		// 1.55, 1.56
		"page.consoleMessages": `await page.evaluate(() => console.log('said')); (await page.consoleMessages()).some((m) => m.text() === 'said' && m.timestamp() > 0)`,
		"page.pageErrors": `await page.evaluate(() => new Promise((f) => { setTimeout(() => { setTimeout(f); throw new Error('thrown') }) }));
			(await page.pageErrors()).some((e) => e.message === 'thrown')`,
		"clear messages and errors": `await page.clearConsoleMessages(); await page.clearPageErrors(); (await page.consoleMessages()).length + (await page.pageErrors()).length === 0`,
		"page.requests":             `await page.goto('/form?requests'); (await page.requests()).some((r) => r.url().endsWith('?requests'))`,
		// 1.57
		"locator.description": `page.locator('h1').describe('the heading').description() === 'the heading'`,
		"click in steps":      `await page.goto('/form'); await page.locator('h1').click({steps: 5}); true`,
		"console of a worker": `const [w] = await Promise.all([page.waitForEvent('worker'), page.evaluate(() => { globalThis.w = new Worker(URL.createObjectURL(new Blob(['onmessage = (e) => console.log(e.data)']))) })]);
			const [m] = await Promise.all([w.waitForEvent('console'), page.evaluate(() => w.postMessage('at work'))]); m.text() === 'at work'`,
		// 1.59
		"screencast of frames": `const got = new Promise((f) => page.screencast.start({onFrame: ({data}) => f(data), size: {width: 400, height: 300}}));
			await page.evaluate(() => { document.body.style.background = 'rgb(1, 2, 3)' }); const data = await got; await page.screencast.stop(); data[0] === 0xff && data[1] === 0xd8`,
		"screencast in a file": `await page.screencast.start({path: DIR + '/cast.webm'}); await page.evaluate(() => { document.body.style.background = 'rgb(3, 2, 1)' }); await page.waitForTimeout(300);
			await page.screencast.stop(); require('fs').readFileSync(DIR + '/cast.webm').subarray(0, 4).toString('hex') === '1a45dfa3'`,
		"actions and overlays": `const shown = await page.screencast.showActions(); const over = await page.screencast.showOverlay('<b>seen</b>'); await page.screencast.showChapter('one', {duration: 10});
			await over.dispose(); await shown.dispose(); true`,
		"await using":                `await page.goto('/form'); { await using route = await page.route('**/made', (r) => r.fulfill({body: 'up'})); if (await page.evaluate(() => fetch('/made').then((r) => r.text())) !== 'up') throw new Error('no route') } await page.evaluate(() => fetch('/made').then((r) => r.status)) === 404`,
		"page.ariaSnapshot":          `await page.goto('/form'); (await page.ariaSnapshot()).includes('- heading "Form"')`,
		"ariaSnapshot for a model":   `await page.goto('/form'); /heading "Form" \[level=1\] \[ref=e\d+\]/.test(await page.ariaSnapshot({mode: 'ai', depth: 9}))`,
		"locator.normalize":          `await page.goto('/form'); String(await page.locator('h1').normalize()) === "getByRole('heading', { name: 'Form' })"`,
		"context.setStorageState":    `const c = await browser.newContext(); await c.setStorageState({cookies: [{name: 'a', value: '1', domain: 'site.example', path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax'}], origins: []}); const n = (await c.cookies()).length; await c.close(); n === 1 && c.isClosed()`,
		"storage with IndexedDB":     `await page.evaluate(() => new Promise((f, no) => { const r = indexedDB.open('db'); r.onupgradeneeded = () => r.result.createObjectStore('s').put('v', 'k'); r.onsuccess = () => { r.result.close(); f() }; r.onerror = no })); JSON.stringify(await page.context().storageState({indexedDB: true})).includes('"db"')`,
		"request.existingResponse":   `const r = await page.goto('/form'); r.request().existingResponse() === r && /^(http\/1.1|h2)$/i.test(await r.httpVersion())`,
		"cdpSession.on event":        `const s = await page.context().newCDPSession(page); const got = new Promise((f) => s.on('event', f)); await s.send('Page.enable'); await s.send('Runtime.enable'); const {method} = await got; const closed = new Promise((f) => s.on('close', f)); await s.detach(); !!method`,
		"locator.drop":               `await page.setContent('<p id=z>here</p><script>z.ondragover = (e) => e.preventDefault(); z.ondrop = (e) => { e.preventDefault(); z.textContent = e.dataTransfer.files[0]?.name + e.dataTransfer.getData("text/plain") }</script>'); await page.locator('#z').drop({files: {name: 'n.txt', mimeType: 'text/plain', buffer: Buffer.from('x')}, data: {'text/plain': 'words'}}); await page.locator('#z').textContent() === 'n.txtwords'`,
		"tracing.startHar":           `await page.context().tracing.startHar(DIR + '/log.har'); await page.goto('/form?har'); await page.context().tracing.stopHar(); require('fs').readFileSync(DIR + '/log.har', 'utf8').includes('?har')`,
		"expect(page) as outline":    `await page.goto('/form'); await expect(page).toMatchAriaSnapshot('- heading "Form" [level=1]'); true`,
		"outline with boxes":         `await page.goto('/form'); /heading "Form" \[level=1\] \[box=\d+,\d+,\d+,\d+\]/.test(await page.ariaSnapshot({boxes: true}))`,
		"browser's event context":    `const [c] = await Promise.all([new Promise((f) => browser.once('context', f)), browser.newContext()]); await c.close(); true`,
		"a context's page events":    `const c = await browser.newContext(); const all = []; for (const e of ['pageload', 'framenavigated', 'pageclose']) c.on(e, () => all.push(e)); const q = await c.newPage(); await q.goto('/form'); await q.close(); await c.close(); all.includes('pageload') && all.includes('framenavigated') && all.includes('pageclose')`,
		"getByRole by description":   `await page.setContent('<button aria-description="sends it">Go</button><button>Go</button>'); await page.getByRole('button', {description: 'sends it'}).count() === 1`,
		"toHaveCSS of a pseudo":      `await page.setContent('<style>p::before { content: "x"; color: rgb(1, 2, 3) }</style><p>'); await expect(page.locator('p')).toHaveCSS('color', 'rgb(1, 2, 3)', {pseudo: 'before'}); true`,
		"webError.location":          `const [e] = await Promise.all([page.context().waitForEvent('weberror'), page.evaluate(() => { setTimeout(() => { throw new Error('far') }) })]); e.error().message === 'far' && typeof e.location().line === 'number'`,
		"protocols of a WebSocket":   `let told; const got = new Promise((f) => { told = f }); await page.routeWebSocket(/ws-route/, (ws) => told(ws.protocols())); await page.goto('/form'); await page.evaluate(() => { new WebSocket('ws://127.0.0.1:1/ws-route', ['one', 'two']) }); String(await got) === 'one,two'`,
		"clock":                      `const c = await browser.newContext(), q = await c.newPage(); await q.clock.install({time: 0}); await q.goto('/form'); await q.clock.fastForward(5000); const t = await q.evaluate(() => Date.now()); await c.close(); t >= 5000 && t < 60000`,
		"credentials with a request": `const r = await playwright_request().newContext({httpCredentials: {username: 'a', password: 'b', send: 'always'}}); await r.dispose(); true`,
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf("const DIR = %q, playwright_request = () => require('playwright-core').request; ", dir) + code
			if r := p.Try("execute", map[string]string{"code": body}); string(r.Result) != `{"result":true}` {
				t.Errorf("%s: %s%s", code, r.Result, r.Error)
			}
		})
	}
	for code, want := range map[string]string{
		`await browser.bind('x')`: "browser.bind",
		fmt.Sprintf(`await page.setContent('<p id=z>'); await page.locator('#z').drop({files: %q})`, filepath.Join(filepath.Dir(dir), "elsewhere.txt")): "elsewhere.txt",
		`await page.locator('#z').drop({files: '/etc/passwd'})`: "/etc/passwd",
	} {
		pipetest.Has(t, p.Fail("execute", map[string]string{"code": code}), want)
	}
}

// TestStateOfOpenPages: a script's storageState has the origin of a page that a tool opened,
// although the script's Playwright saw no navigation there.
func TestStateOfOpenPages(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestState of tests/eachtool is quick")
	t.Parallel()
	p := pipetest.Shared(t, "--profile", "agent")
	p.Call("nav", []string{"/form"})
	p.Call("eval", []string{"localStorage.kept = 'here'"})
	got := p.Call("execute", map[string]string{"code": "JSON.stringify((await context.storageState()).origins)"})
	pipetest.Has(t, got, "kept", "here")
}
