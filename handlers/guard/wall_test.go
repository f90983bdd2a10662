package guard_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// attacks are scripts. PATH is a missing file and SECRET an existing one, both
// outside of the allowed folders. LINK leads there. OUT and PROGRAM, a shell
// script, are in an allowed folder. TARGET is on a forbidden host.
var attacks = []string{
	// Attacks on the code behind Playwright.
	"await page.constructor.constructor('return process')().mainModule.require('child_process').execSync('touch ' + PATH)",
	"const s = Object.getOwnPropertySymbols(page), made = Object.create(Object.getPrototypeOf(page)); for (const k of s) made[k] = page[k]; await made.screenshot({path: PATH})",
	"const then = Promise.prototype.then; let got; Promise.prototype.then = function (f) { got = f; return then.apply(this, arguments) }; await page.title(); Promise.prototype.then = then; await got.caller.arguments[0].storageState({path: PATH})",
	"try { await page.screenshot({path: '/'}) } catch (e) { await e.constructor.constructor('return process')().binding('fs').open(PATH, 66, 438) }",
	// Attacks on files.
	`await context.storageState({path: PATH})`,
	`let n = 0; await context.storageState({get path() { return n++ ? PATH : 'fine.json' }})`,
	`let n = 0; await context.storageState({path: {toString: () => n++ ? PATH : 'fine.json'}})`,
	`let n = 0; await page.screenshot(new Proxy({}, {ownKeys: () => ['path'], getOwnPropertyDescriptor: () => ({value: 1, enumerable: true, configurable: true}), get: (o, k) => k === 'path' ? n++ ? PATH : 'fine.png' : undefined}))`,
	`await page.screenshot({Path: PATH})`,
	`await page.screenshot({PATH: PATH})`,
	`await page.screenshot({path: new String(PATH)})`,
	`await page.screenshot({path: [PATH]})`,
	`await page.screenshot({path: 'x/../../../../../../../..' + PATH})`,
	`await page.locator('body').screenshot({path: PATH})`,
	`await (await page.$('body')).screenshot({path: PATH})`,
	`await page.pdf({path: PATH})`,
	`await context.request.storageState({path: PATH})`,
	`await context.tracing.start(); await context.tracing.stop({path: PATH})`,
	`await context.tracing.start({name: PATH})`,
	`await context.tracing.start(); await context.tracing.group('x', {location: {file: SECRET}}); await context.tracing.stop({path: OUT}); require('zlib'); require('fs').readFileSync(OUT, 'latin1')`,
	`await browser.startTracing({page, path: PATH})`,
	`const c = await browser.newContext({recordHar: {path: PATH}}); await (await c.newPage()).goto('/'); await c.close()`,
	`const c = await browser.newContext({recordHarPath: PATH}); await (await c.newPage()).goto('/'); await c.close()`,
	`const c = await browser.newContext({recordVideo: {dir: PATH}}); await (await c.newPage()).goto('/'); await c.close()`,
	`await page.routeFromHAR(PATH, {update: true}); await page.reload(); await context.close()`,
	`const c = await browser.newContext({storageState: SECRET}); c.pages().length`,
	`const c = await browser.newContext({clientCertificates: [{origin: TARGET, certPath: SECRET, keyPath: SECRET}]}); c.pages().length`,
	`await page.addInitScript({path: SECRET}); await page.reload()`,
	`await context.addInitScript({path: SECRET})`,
	`await page.addScriptTag({path: SECRET})`,
	`await page.addStyleTag({path: SECRET}); await page.content()`,
	`await page.route('**/x', async (r) => { try { await r.fulfill({path: SECRET}) } catch (e) { await r.abort(); throw e } }); await page.evaluate(() => fetch('/x').then((r) => r.text()))`,
	`await page.setInputFiles('input[type=file]', [SECRET]); await page.locator('input[type=file]').evaluate((e) => e.files[0].text())`,
	`await (await page.$('input[type=file]')).setInputFiles(new String(SECRET)); await page.locator('input[type=file]').evaluate((e) => e.files[0].text())`,
	`const [c] = await Promise.all([page.waitForEvent('filechooser'), page.click('input[type=file]')]); await c.setFiles(SECRET); await page.locator('input[type=file]').evaluate((e) => e.files[0].text())`,
	`await page.setContent('<a download href="data:text/plain,x">d</a>'); const [d] = await Promise.all([page.waitForEvent('download'), page.click('a')]); await d.saveAs(PATH)`,
	`require('fs').writeFileSync(PATH, 'x')`,
	`require('fs').renameSync(PROGRAM, PATH)`,
	`require('fs').copyFileSync(SECRET, OUT); require('fs').readFileSync(OUT, 'utf8')`,
	`require('fs').readFileSync(LINK + '/secret.txt', 'utf8')`,
	`require('fs').writeFileSync(LINK + '/made', 'x')`,
	`await page.screenshot({path: LINK + '/made.png'})`,
	`require('fs').mkdirSync(LINK + '/made')`,
	`await page.setInputFiles('input[type=file]', LINK + '/secret.txt'); await page.locator('input[type=file]').evaluate((e) => e.files[0].text())`,
	"eval('1\\n//# sourceMappingURL=' + PIPE)",
	"await page.evaluate('1\\n//# sourceMappingURL=' + PIPE + '\\n}')",
	"1\n//# sourceMappingURL=" + `PIPE`,
	// Attacks on other hosts and programs.
	`await browser.browserType().connect(TARGET)`,
	`await browser.browserType().connectOverCDP(TARGET)`,
	`await browser.browserType().launch({executablePath: PROGRAM})`,
	`await browser.browserType().launchPersistentContext(OUT, {executablePath: PROGRAM})`,
	`await Object.getPrototypeOf(browser.browserType()).launch.call(browser.browserType(), {executablePath: PROGRAM})`,
	`const c = await browser.newContext({baseURL: TARGET}); await c.request.get('/')`,
	`const c = await browser.newContext({get proxy() { return {server: 'direct://'} }}); await (await c.newPage()).goto(TARGET)`,
	`let n = 0; await page.goto({toString: () => n++ ? TARGET : '/'})`,
	`await context.request.fetch({url: () => '/', toString: () => TARGET})`,
	`await page.route('**/x', async (r) => { try { await r.continue({url: TARGET}) } catch (e) { await r.abort(); throw e } }); await page.evaluate(() => fetch('/x').catch(String))`,
	`await page.route('**/x', async (r) => { try { await r.fulfill({response: await r.fetch({url: TARGET})}) } catch (e) { await r.abort(); throw e } }); await page.evaluate(() => fetch('/x').catch(String))`,
	`const s = await getCDPSession({page}); await s.send('Target.createTarget', {url: TARGET})`,
	`const s = await getCDPSession({page}); await s.send(new String('Page.navigate'), {url: TARGET})`,
	`const s = await getCDPSession({page}); let n = 0; await s.send('Page.navigate', {get url() { return n++ ? TARGET : 'about:blank' }}); await page.waitForTimeout(200)`,
	`const s = await getCDPSession({page}); await s.send({toString: () => 'Browser.close'}, {})`,
	`const s = await getCDPSession({page}); await s.send('Fetch.enable'); s.on('Fetch.requestPaused', (e) => s.send('Fetch.continueRequest', {requestId: e.requestId, url: TARGET}).catch(() => {})); await page.goto('/', {timeout: 500})`,
	`const s = await getCDPSession({page}); await s.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: PATH})`,
	`const s = await getCDPSession({page}); await s.send('Tethering.bind', {port: 9999})`,
	`const s = await getCDPSession({page}); await s.send('Storage.getCookies', {browserContextId: 'x'})`,
}

// fresh is the number of attempts after which a session is reset. A reset costs a
// page; attempts leave only some routes and values.
const fresh = 6

// TestWallAroundScripts plays the attacker: nothing is read or written outside of
// the allowed folders, no other host is reached, no program is started, and the
// session goes on.
func TestWallAroundScripts(t *testing.T) {
	t.Parallel()
	p, dir := pipetest.SharedIn(t, listed...)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("tide at nine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(outside, "pipe")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip(err)
	}
	makePipe(t, pipe) // opening it for reading blocks for ever
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+filepath.Join(outside, "ran")+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	v := newVictim(t)
	place := map[string]string{"PATH": filepath.Join(outside, "made"), "SECRET": secret, "TARGET": v.url("wall"), "PROGRAM": program,
		"LINK": link, "OUT": filepath.Join(dir, "out"), "PIPE": pipe}
	var names []string
	for name, value := range place {
		text, _ := json.Marshal(value)
		names = append(names, name+": "+string(text))
	}
	paused := false
	for i, code := range pipetest.Some(attacks, 6) {
		if i%fresh == 0 || paused {
			p.Call("reset", nil)
		}
		paused = strings.Contains(code, "Fetch.enable") // nobody continues the page's requests
		p.Call("nav", []any{"/form"})
		p.Call("execute", map[string]any{"code": "Object.assign(globalThis, {" + strings.Join(names, ", ") + "}); 0"})
		if strings.Contains(code, "sourceMappingURL=PIPE") { // in a comment, so no variable
			code = strings.ReplaceAll(code, "PIPE", pipe)
		}
		r := p.Try("execute", map[string]any{"code": code}, "timeout", 3)
		if strings.Contains(string(r.Result)+r.Error, "tide at nine") {
			t.Errorf("it read the file: %s", code)
		}
		left, err := os.ReadDir(outside)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left {
			if e.Name() != "secret.txt" && e.Name() != "pipe" {
				t.Errorf("%s is there after %s", e.Name(), code)
				_ = os.RemoveAll(filepath.Join(outside, e.Name()))
			}
		}
		if got := v.names(); len(got) > 0 {
			t.Fatalf("%v came through by %s", got, code)
		}
	}
}
