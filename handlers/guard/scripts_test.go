package guard_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type way struct{ name, code, refused string }

// seconds is the timeout of a script that goes that way: what is not refused may wait for ever.
func (w way) seconds() int {
	if w.refused != "" {
		return 60
	}
	return 10
}

// ways are a script's ways to reach another host, besides the page.
var ways = []way{
	{"fetch", `await fetch(target)`, "127.0.0.2 is not an allowed domain"},
	{"fetch after a redirect", `await fetch(new URL('/redirect?to=' + encodeURIComponent(target), page.url()).href)`, ""},
	{"context.request", `await context.request.get(target)`, "127.0.0.2 is not an allowed"},
	{"page.request", `await page.request.post(target, {data: 'x'})`, "127.0.0.2 is not"},
	{"http", `await new Promise((ok, no) => require('http').get(target, ok).on('error', no))`, "127.0.0.2 is not"},
	{"fetch from an empty page", `await page.goto('about:blank'); await fetch(target.replace('http:', ''))`, "127.0.0.2 is not an allowed"},
	{"a form of fetch", `const body = new FormData(); body.append('a', new File(['x'], 'a')); await fetch(target, {method: 'POST', body})`, "127.0.0.2 is not an allowed"},
	{"an imported http", `const http = await import('node:http'); await new Promise((ok, no) => http.get(target, ok).on('error', no))`, "127.0.0.2 is not"},
	{"page.goto", `await page.goto(target)`, "127.0.0.2 is not"},
	{"a page of its own", `await (await context.newPage()).goto(target)`, "127.0.0.2 is not"},
	{"a context of its own", `const c = await browser.newContext(); await (await c.newPage()).goto(target)`, "127.0.0.2 is not"},
	{"a context's request", `const c = await browser.newContext(); await c.request.get(target)`, "127.0.0.2 is not"},
	{"another proxy", `const c = await browser.newContext({proxy: {server: 'direct://'}}); await (await c.newPage()).goto(target)`, "pwpipe's own proxy"},
	{"a proxy that excepts the host", `const c = await browser.newContext({proxy: {server: 'http://127.0.0.1:1', bypass: '127.0.0.2'}}); await (await c.newPage()).goto(target)`, "pwpipe's own proxy"},
	{"another proxy for requests", `const c = await browser.newContext({proxy: {server: 'http://127.0.0.1:1', bypass: '127.0.0.2'}}); await c.request.get(target)`, "pwpipe's own proxy"},
	{"browser.newPage", `const p = await browser.newPage({proxy: {server: 'direct://'}}); await p.goto(target)`, "pwpipe's own proxy"},
	{"DevTools", `const s = await getCDPSession({page}); await s.send('Page.navigate', {url: target}); await page.waitForTimeout(300)`, "127.0.0.2 is not"},
	{"DevTools with a proxy", `const s = await browser.newBrowserCDPSession();
const {browserContextId} = await s.send('Target.createBrowserContext', {proxyServer: 'direct://'});
await s.send('Target.createTarget', {url: target, browserContextId}); await page.waitForTimeout(300)`, ""},
	{"DevTools of a page with a proxy", `const s = await getCDPSession({page});
const {browserContextId} = await s.send('Target.createBrowserContext', {proxyServer: 'direct://'});
await s.send('Target.createTarget', {url: target, browserContextId}); await page.waitForTimeout(300)`, ""},
	{"DevTools loads a resource", `const s = await getCDPSession({page}); const {frameTree} = await s.send('Page.getFrameTree');
await s.send('Network.loadNetworkResource', {frameId: frameTree.frame.id, url: target, options: {disableCache: true, includeCredentials: false}})`, ""},
	{"route.fetch", `await page.route('**/fetched', async r => { try { await r.fulfill({response: await r.fetch({url: target})}) } catch (e) { await r.abort(); throw e } });
await page.evaluate(() => fetch('/fetched').then(r => r.text(), e => String(e)))`, ""},
	{"route.continue", `await page.route('**/continued', r => r.continue({url: target}).catch(() => r.abort()));
await page.evaluate(() => fetch('/continued').then(r => r.text(), e => String(e)))`, ""},
	{"a script tag", `await page.addScriptTag({url: target})`, ""},
	{"another browser", `await browser.browserType().launch()`, ""},
	{"a browser elsewhere", `await browser.browserType().connectOverCDP(target)`, ""},
}

// The policy covers a script's own ways out like a page's. Without a list most of them
// succeed.
func TestScriptsAreGuarded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestScriptsAreUnderTheRules of features/scripts is quick")
	t.Parallel()
	for name, guarded := range map[string]bool{"with a list": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVictim(t)
			var args []string
			if guarded {
				args = listed
			}
			p, _ := pipetest.SharedIn(t, args...)
			tried := pipetest.Some(ways, 3)
			for i, w := range tried {
				if i%fresh == 0 {
					p.Call("reset", nil) // drops pages and routes of earlier scripts
				}
				// If a script navigates, its navigation may still be in progress.
				for r := p.Try("nav", []any{"/"}); r.Error != ""; r = p.Try("nav", []any{"/"}) {
					if !strings.Contains(r.Error, "interrupted by another navigation") && !strings.Contains(r.Error, "another navigation came first") {
						t.Fatal(r.Error)
					}
				}
				target, _ := json.Marshal(v.url(strings.NewReplacer(" ", "-", "'", "").Replace(w.name)))
				r := p.Try("execute", map[string]any{"code": "const target = " + string(target) + ";\n" + w.code + "; 0"}, "timeout", w.seconds())
				if guarded && w.refused != "" {
					pipetest.Has(t, r.Error, "blocked: ", w.refused)
				}
			}
			names := v.names()
			if guarded && len(names) > 0 {
				t.Errorf("came through: %v", names)
			}
			if !guarded && len(names) < len(tried)/2 {
				t.Errorf("only these come through where nothing guards: %v", names)
			}
		})
	}
}

// A script reads no local file through the browser, with or without a list.
func TestScriptsReadNoFilesThroughTheBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWallAroundScripts is quick")
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.txt")
	if err := os.WriteFile(secret, []byte("tide at nine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, _ := pipetest.SharedIn(t)
	for _, code := range pipetest.Some([]string{
		`await page.goto(FILE); const text = await page.textContent('body'); await page.goto('/'); text`,
		`await page.mainFrame().goto(FILE); await page.textContent('body')`,
		`const s = await getCDPSession({page}); await s.send('Page.navigate', {url: FILE}); await page.waitForTimeout(500); const text = await page.textContent('body'); await page.goto('/'); text`,
		`const s = await browser.newBrowserCDPSession(); const {targetId} = await s.send('Target.createTarget', {url: FILE});
await page.waitForTimeout(500); const all = []; for (const p of context.pages()) all.push(await p.textContent('body')); all`,
		`await page.goto('/form'); const s = await getCDPSession({page}); const {root} = await s.send('DOM.getDocument');
const {nodeId} = await s.send('DOM.querySelector', {nodeId: root.nodeId, selector: 'input[type=file]'});
await s.send('DOM.setFileInputFiles', {nodeId, files: [PATH]}); await page.locator('input[type=file]').evaluate(e => e.files[0].text())`,
		`await page.goto('/form'); await page.setInputFiles('input[type=file]', PATH); await page.locator('input[type=file]').evaluate(e => e.files[0].text())`,
		`const s = await getCDPSession({page}); const {sessionId} = await s.send('Target.attachToTarget', {targetId: 'x', flatten: false});
await s.send('Target.sendMessageToTarget', {sessionId, message: '{}'})`,
		`await page.goto('about:blank'); await page.evaluate(u => { location.href = u }, FILE); await page.waitForTimeout(500); const text = await page.textContent('body'); await page.goto('/'); text`,
		`await page.setContent('<iframe src="' + FILE + '"></iframe>'); await page.waitForTimeout(500); await page.frames()[1].textContent('body')`,
		`await page.addScriptTag({path: PATH})`,
		`await page.setContent('<body style="margin:0;height:300px">'); await page.evaluate(() => { document.body.ondragover = e => e.preventDefault();
document.body.ondrop = async e => { e.preventDefault(); document.title = await e.dataTransfer.files[0].text() } });
const s = await getCDPSession({page}), data = {items: [], files: [PATH], dragOperationsMask: 1};
for (const type of ['dragEnter', 'dragOver', 'drop']) await s.send('Input.dispatchDragEvent', {type, x: 50, y: 50, data});
await page.waitForTimeout(300); await page.title()`,
		`await page.route('**/x', async r => { try { await r.fulfill({path: PATH}) } catch (e) { await r.abort(); throw e } }); await page.evaluate(() => fetch('/x').then(r => r.text()))`,
		`require('fs').readFileSync(PATH, 'utf8')`,
		`(await fetch(FILE)).text()`,
	}, 3) {
		path, _ := json.Marshal(secret)
		url, _ := json.Marshal("file://" + secret)
		r := p.Try("execute", map[string]any{"code": "const PATH = " + string(path) + ", FILE = " + string(url) + ";\n" + code}, "timeout", 4)
		if strings.Contains(string(r.Result)+r.Error, "tide at nine") {
			t.Errorf("%s read the file", code)
		}
		p.Call("reset", nil)
		p.Call("nav", []any{"/"})
	}
}

// Names that Playwright gives to files can't lead out of the allowed folders.
func TestScriptsNameNoPaths(t *testing.T) {
	t.Parallel()
	p, _ := pipetest.SharedIn(t)
	p.Call("nav", []any{"/"})
	for _, code := range []string{
		`await context.tracing.start({name: '../../../../../../tmp/out'})`,
		`await context.tracing.start(); await context.tracing.startChunk({name: '../../../../../../tmp/out'})`,
	} {
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": code}), "blocked: tracing.start", "a name, not a path")
	}
}

// Relative paths start in an allowed folder, in Playwright's options and in fs.
func TestScriptsRelativePaths(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestScriptsNameNoPaths is quick")
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	p.Call("nav", []any{"/"})
	p.Call("execute", map[string]any{"code": "await page.screenshot({path: 'shot.png'}); require('fs').writeFileSync('note.txt', 'x')"})
	for _, name := range []string{"shot.png", "note.txt"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), name)); err != nil {
			t.Error(err)
		}
	}
}
