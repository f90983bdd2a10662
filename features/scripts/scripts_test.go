package scripts_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// start returns a pipe on a URL of the sample site. Other tests may have used it.
func start(t *testing.T, url string, args ...string) *pipetest.Pipe {
	t.Helper()
	return pipetest.SharedOn(t, url, append([]string{"--profile", "agent"}, args...)...)
}

// startOwn is start with a process of its own.
func startOwn(t *testing.T, url string) *pipetest.Pipe {
	t.Helper()
	return pipetest.StartOn(t, url, "--profile", "agent")
}

// Scripts get the real Playwright. These are details that reimplementations of its
// API get wrong, tried one by one in one session.
func TestPlaywrightItself(t *testing.T) {
	t.Parallel()
	p := start(t, "/form")
	for _, c := range []struct{ code, want string }{
		{`await page.title()`, `"Form | Skerry"`},
		{`const {EOL} = await import('os'); [EOL, page.viewportSize().width, new URL(page.url()).pathname]`, `["\n",1280,"/form"]`},
		{`interface Row { id: string }
const rows: Row[] = ['a', 'b'].map((id): Row => ({id})); rows as Row[]`, `[{"id":"a"},{"id":"b"}]`},
		{`await page.setContent('<meta name="m" content="hidden"><ul><li>a</li><li>b</li></ul><input>'); await page.locator('meta[name=m]').getAttribute('content')`, `"hidden"`},
		{`await expect(page.locator('li')).toHaveText(['a', /b/]); expect.soft(1).toBe(1); expect(page).toBe(page); expect(() => { throw new TypeError('x') }).toThrow(TypeError); 'held'`, `"held"`},
		{`const own = expect.extend({ toBeSeven: (n) => ({ pass: n === 7, message: () => 'no seven' }) }); own(7).toBeSeven(); 1`, `1`},
		{`await page.evaluate(() => { window.keys = []; document.querySelector('input').onkeydown = e => keys.push(e.key) }); await page.locator('input').focus(); await page.keyboard.type('ab'); await page.evaluate(() => keys)`, `["a","b"]`},
		{`const { errors } = require('playwright'); try { await page.click('#no', {timeout: 50}) } catch (e) { return e instanceof errors.TimeoutError && e.message.slice(0, 33) }`, `"page.click: Timeout 50ms exceeded"`},
		{`await page.exposeFunction('takes', (o) => typeof o); await page.evaluate(() => { const o = {}; o.self = o; return takes(o) })`, `"object"`},
		{`const q = await context.newPage(); const waits = q.waitForEvent('download').catch(e => e.message.includes('closed')); await q.close(); await waits`, `true`},
		{`await page.route('**/headers', async r => r.fulfill({ body: String('accept' in await r.request().allHeaders()) })); await page.goto('/form'); await page.evaluate(() => fetch('/headers').then(r => r.text()))`, `"true"`},
		{`state.n = 1; state.page = page; const { x } = await page.evaluate(() => ({ x: new Date(0) })); x.getTime()`, `0`},
		{`[++state.n, state.page === page]`, `[2,true]`},
		{`const [d] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => { const a = document.createElement('a'); a.href = 'data:text/plain,hello'; a.download = 'a.txt'; a.click() })]); require('fs').readFileSync(await d.path(), 'utf8')`, `"hello"`},
		{`async ({ page, context }) => [await page.title(), context.pages().length];`, `["Form | Skerry",1]`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

// Errors name the problem and the line.
func TestErrorsOfScripts(t *testing.T) {
	t.Parallel()
	p := start(t, "/form")
	for _, c := range []struct{ code, want string }{
		{"1;\nawait page.click('#nope', {timeout: 100})", "(line 2 of the script)"},
		{"const x: number = 1;\nthrow new RangeError('there' + x)", "RangeError: there1 (line 2 of the script)"},
		{"1\nlet 2", "SyntaxError: "},
		{`document.title`, "the page has it: page.evaluate("},
		{`console.log('seen'); throw new Error('after')`, "console: seen"},
		{`require('child_process')`, "not allowed in a script"},
		{`await browser.browserType().launch()`, "a script works in the browser that runs"},
		{`await page.goto('http://127.0.0.1:1/')`, "127.0.0.1:1"},
		{`require('fs').readFileSync('/etc/passwd')`, "EACCES"},
		{`await page.screenshot({path: '/pwpipe-test.png'})`, "EACCES"},
	} {
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": c.code}), c.want)
	}
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": `await new Promise((ended) => { page.click('#never', {timeout: 50}).finally(ended) }); await page.waitForTimeout(100)`}), "nobody awaited this: ", "TimeoutError")
}

// Endless code is stopped, and state kept: before an await, after one, in a listener,
// in a regular expression.
func TestLoopsAreStopped(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestScriptsAreBounded of handlers/agent is quick")
	t.Parallel()
	p := start(t, "/form")
	pipetest.Execute(p, "state.kept = 7")
	for _, code := range []string{
		`for (;;);`, `await page.title(); for (;;);`, `/(?=a)(a+)+$/.test('a'.repeat(60) + 'b')`, `await new Promise(() => {})`,
		`page.once('console', () => { for (;;); }); await page.evaluate(() => console.log(1)); await page.waitForTimeout(1000)`,
	} {
		p.Complains("did not end within 0.4 s", "execute", pipetest.Object{"code": code}, "timeout", 0.4)
	}
	if got := pipetest.Execute(p, "[state.kept, await page.title()]"); got != `[7,"Form | Skerry"]` {
		t.Errorf("afterwards: %s", got)
	}
	// When the wait of a stopped script ends, its code does not run on.
	for _, waits := range []string{`await page.evaluate(() => new Promise(done => setTimeout(done, 900)))`, `await require('timers/promises').setTimeout(900)`} {
		p.Fail("execute", pipetest.Object{"code": waits + "; for (;;);"}, "timeout", 0.4)
		if got := pipetest.Execute(p, "await page.waitForTimeout(1000); state.kept"); got != "7" {
			t.Errorf("after %s: %s", waits, got)
		}
	}
	// Pending actions of a stopped script do not happen.
	p.Fail("execute", pipetest.Object{"code": `setTimeout(() => page.goto('/shop'), 1500); await page.waitForTimeout(1200); await page.goto('/shop')`}, "timeout", 1)
	if got := pipetest.Execute(p, "await page.waitForTimeout(900); new URL(page.url()).pathname"); got != `"/form"` {
		t.Errorf("a stopped script went on to %s", got)
	}
}

// A process that uses too much memory is replaced. The error says so, and the session
// goes on.
func TestMemoryOfScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestScriptsAreBounded of handlers/agent is quick")
	t.Parallel()
	p := start(t, "/form", "--script-memory", "200")
	pipetest.Execute(p, "state.kept = 7")
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": `const a = []; for (;;) { a.push(Buffer.alloc(1 << 20, 1)); await 0 }`}, "timeout", 60), "too much memory", "state is empty")
	if got := pipetest.Execute(p, "[state.kept ?? null, await page.title()]"); got != `[null,"Form | Skerry"]` {
		t.Errorf("afterwards: %s", got)
	}
}

// Tools and scripts work on the same pages and contexts, with the same handles.
func TestBothSidesAgree(t *testing.T) {
	t.Parallel()
	p := start(t, "/form")
	pipetest.Execute(p, `const c = await browser.newContext({viewport: {width: 400, height: 300}}); const q = await c.newPage(); await q.goto(new URL('/shop', page.url()).href); await page.setViewportSize({width: 500, height: 400}); 0`)
	if got := p.Text("title", nil, "page", "p2"); got != "Shop | Skerry" {
		t.Errorf("the page that a script opened: %s", got)
	}
	if got := p.Call("eval", []string{"[innerWidth, innerHeight]"}, "page", "p2"); got != "[400,300]" {
		t.Errorf("its viewport: %s", got)
	}
	if got := p.Call("eval", []string{"[innerWidth, innerHeight]"}); got != "[500,400]" {
		t.Errorf("a viewport that a script set: %s", got)
	}
	p.Call("new-ctx", nil)
	p.Call("new-page", []string{"c3"})
	if got := p.Call("execute", pipetest.Object{"code": "[browser.contexts().length, context.pages().length, page.url()]"}, "page", "p3"); got != `{"result":[3,1,"about:blank"]}` {
		t.Errorf("a page that a tool opened: %s", got)
	}
	p.Call("close-ctx", []string{"c2"})
	pipetest.Eventually(t, "the context is closed for scripts as well", func() bool { return pipetest.Execute(p, "browser.contexts().length") == "2" })
	// Refs of a snapshot are selectors. Each dialog goes to its listener.
	p.Call("eval", []string{`document.body.innerHTML = '<button onclick="document.title = prompt(1)">Ask</button>'; 0`})
	p.Call("snapshot", nil)
	if got := pipetest.Execute(p, `page.once('dialog', d => d.accept('mine')); await $('e1').click(); await page.title()`); got != `"mine"` {
		t.Errorf("a dialog that the script listened to: %s", got)
	}
	p.Call("dialog", pipetest.Object{"action": "accept", "text": "the tool's"})
	if got := pipetest.Execute(p, `await page.click('button'); await page.title()`); got != `"the tool's"` {
		t.Errorf("a dialog that a tool was to answer: %s", got)
	}
	pipetest.Execute(p, `await browser.close(); 0`)
	if got := pipetest.Execute(p, `[await page.title(), browser.isConnected(), browser.contexts().length]`); got != `["",true,1]` {
		t.Errorf("after browser.close: %s", got)
	}
}

// A script's own requests obey the policy, and its files the file rules.
func TestScriptsAreUnderTheRules(t *testing.T) {
	t.Parallel()
	p, dir := underRules(t)
	for _, code := range []string{
		`await fetch('http://127.0.0.2:1/')`, `await context.request.get('http://127.0.0.2:1/')`, `await page.goto('http://127.0.0.2:1/')`,
		`await new Promise((ok, no) => require('http').get('http://127.0.0.2:1/', ok).on('error', no))`,
		`const { TLSSocket } = process; await require('playwright').request.newContext().then(r => r.get('https://127.0.0.2:1/'))`,
		`await browser.newContext({proxy: {server: 'http://127.0.0.1:1'}})`, `await page.goto('file:///etc/passwd')`,
	} {
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": code}, "timeout", 60), "blocked: ")
	}
	pipetest.Execute(p, `await page.screenshot({path: 'shot.png'}); require('fs').writeFileSync('note.txt', 'x'); (await fetch('/form')).status`)
	for _, name := range []string{"shot.png", "note.txt"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), name)); err != nil {
			t.Error(err)
		}
	}
}

// TestHostileScripts: a script writes raw bytes to the process's descriptors, and
// misuses other internals. Each time, the process ends or goes on; pwpipe and a
// second session go on.
func TestHostileScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestScriptsAreUnderTheRules is quick")
	t.Parallel()
	p := start(t, "/form", "--allow-dir", t.TempDir())
	p.Call("new-ctx", nil)
	const write = `const fs = require('fs'), w = (fd, ...parts) => parts.forEach(b => fs.writeSync(fd, typeof b === 'string' ? Buffer.from(b) : b));
const frame = (head, raw = '') => { const h = Buffer.from(head), r = Buffer.from(raw), l = Buffer.alloc(8); l.writeUInt32LE(4 + h.length + r.length, 0); l.writeUInt32LE(h.length, 4); return Buffer.concat([l, h, r]) };
`
	for name, code := range map[string]string{
		"a frame of four gigabytes":      `w(6, Buffer.from([255, 255, 255, 255, 2, 0, 0, 0]))`,
		"a head beyond its frame":        `w(6, Buffer.from([8, 0, 0, 0, 200, 0, 0, 0]), 'xxxx')`,
		"no JSON":                        `w(6, frame('{'))`,
		"an unknown call":                `w(6, frame('{"call":"exec","id":1,"args":{"cmd":"id"}}'))`,
		"a call that may not be awaited": `w(8, frame('{"call":"helper","id":1}'))`,
		"answers to nobody":              `for (let i = 0; i < 10000; i++) w(6, frame('{"id":' + i + '}'))`,
		"an answer for the run":          `for (let i = 0; i < 100; i++) w(6, frame('{"id":' + i + ',"args":{"value":3,"images":[9]}}', '{}'))`,
		"a flood of calls":               `for (let i = 0; i < 5000; i++) w(6, frame('{"call":"describe","id":' + (1e6 + i) + '}'))`,
		"a flood of lines":               `for (let i = 0; i < 20000; i++) w(6, frame('{"call":"say","args":{"level":"log"}}', 'x'.repeat(1000)))`,
		"files outside":                  `for (const path of ['/etc/passwd', '../../../etc/passwd', '/proc/self/environ']) w(6, frame(JSON.stringify({call: 'file', id: 1e6, args: {op: 'read', path}})))`,
		"contexts of others":             `for (const context of ['', 'x', '0'.repeat(32)]) w(6, frame(JSON.stringify({call: 'closeContext', id: 1e6, args: {context}})), frame(JSON.stringify({call: 'context', id: 1e6, args: {context}})))`,
		"DevTools that are no JSON":      `w(4, 'x'.repeat(1000) + '\0{}\0[]\0{"id":1}\0')`,
		"a session of others":            `w(4, JSON.stringify({id: 1e6, sessionId: 'F'.repeat(32), method: 'Runtime.evaluate', params: {expression: '1'}}) + '\0')`,
		"the whole browser":              `for (const method of ['Browser.crash', 'Target.attachToTarget', 'SystemInfo.getInfo', 'Browser.close']) w(4, JSON.stringify({id: 1e6, method, params: {targetId: 'x'}}) + '\0')`,
		"its descriptors closed":         `for (let fd = 3; fd < 10; fd++) try { fs.closeSync(fd) } catch {}`,
		"its end":                        `process.constructor.constructor('return process')().reallyExit(0)`,
		"our end":                        `const p = process.constructor.constructor('return process')(); try { p.kill(p.ppid, 'SIGKILL') } catch (e) { }`,
		"a program":                      `process.constructor.constructor('return process')().mainModule.require('child_process').execSync('id')`,
		"a realm without its methods":    `Promise.prototype.then = Function.prototype.call = Array.prototype[Symbol.iterator] = undefined`,
	} {
		r := p.Try("execute", pipetest.Object{"code": write + code + "; 0"}, "timeout", 5)
		if strings.Contains(string(r.Result), "uid=") {
			t.Errorf("%s: %s", name, r.Result)
		}
		var got, why string
		for range 6 { // the first may find a process that is just ending, and starting another may take long
			if r := p.Try("execute", pipetest.Object{"code": "await page.title()"}, "timeout", 30); r.Error == "" {
				got = string(r.Result)
				break
			} else {
				why += r.Error + "; "
			}
		}
		if !strings.Contains(got, `"result":"Form | Skerry"`) {
			t.Errorf("after %s: %s, %s; it said %s %s", name, got, why, r.Result, r.Error)
		}
		if got := p.Text("title", nil); got != "Form | Skerry" {
			t.Errorf("after %s the tools have %s", name, got)
		}
	}
}

// underRules is a pwpipe with a secret and rules for hosts, at a form.
func underRules(t *testing.T) (p *pipetest.Pipe, dir string) {
	t.Helper()
	p, dir = pipetest.SharedIn(t, "--profile", "agent", "--allowed-domains", "127.0.0.1,localhost",
		"--blocked-domains", "localhost", "--weak-scripts",
		"--secrets", pipetest.SharedFile(t, "secrets.env", "PASS=tide-at-nine\n"))
	p.Call("nav", pipetest.List("/form"))
	return p, dir
}

// Secrets are masked in a script's output and results.
func TestSecretsInScripts(t *testing.T) {
	t.Parallel()
	p, dir := underRules(t)
	p.Call("fill", []string{"input[type=text], input:not([type])", "{PASS}"})
	raw := p.Call("execute", pipetest.Object{"code": `const v = await page.locator('input[type=text], input:not([type])').first().inputValue(); console.log(v); require('fs').writeFileSync('` + dir + `/out.txt', v); v`})
	text, _ := os.ReadFile(filepath.Join(dir, "out.txt"))
	var got struct{ Result string }
	if err := json.Unmarshal([]byte(raw), &got); err != nil || strings.Contains(raw+string(text), "tide-at-nine") || got.Result == "" {
		t.Errorf("%s, %s", raw, text)
	}
}

// A connection that its server closed while it was idle is not used for the next
// request, which would wait for ever.
func TestConnectionThatItsServerClosed(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestErrorsOfScripts is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	t.Cleanup(site.Close)
	p := start(t, "/form")
	for range 3 {
		// As with any client, a request may be on its way when the server closes. Its
		// connection is not used again, so that happens once for each open one.
		var r pipetest.Reply
		for range 3 {
			r = p.Try("execute", []any{"await (await page.request.get('" + site.URL + "')).text()"})
			if !strings.Contains(r.Error, "socket hang up") {
				break
			}
		}
		if r.Error != "" || !strings.Contains(string(r.Result), "here") {
			t.Errorf("%s %s", r.Result, r.Error)
		}
		site.CloseClientConnections()
	}
}

// A script goes on after the page that it began on is gone, for as long as it likes.
func TestScriptThatClosesItsPage(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBothSidesAgree is quick")
	t.Parallel()
	p := start(t, "/form")
	if got := pipetest.Execute(p, `await page.close(); await require('timers/promises').setTimeout(1600); const q = await context.newPage(); q.url() + browser.contexts().length`); got != `"about:blank1"` {
		t.Error(got)
	}
}

// A page that is gone before the browser is asked about it changes nothing in what is
// known about its context.
func TestPagesThatAreGoneAtOnce(t *testing.T) {
	pipetest.InCIAndRace(t, "it is for a race, and takes its time")
	t.Parallel()
	p := start(t, "/form")
	for range 5 {
		if got := pipetest.Execute(p, `await Promise.all(Array.from({length: 8}, () => context.newPage().then(q => q.close()))); await page.title()`); got != `"Form | Skerry"` {
			t.Fatal(got)
		}
	}
}

// TestCredentialsOfAnOrigin: the password of a script's context is for its origin alone.
func TestCredentialsOfAnOrigin(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestSmuggledOptions is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "pw" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(site.Close)
	got := pipetest.Execute(pipetest.Shared(t), `const said = []
		for (const origin of [undefined, '`+site.URL+`', 'http://other.test']) {
			const context = await browser.newContext({httpCredentials: {username: 'u', password: 'pw', origin}})
			said.push((await (await context.newPage()).goto('`+site.URL+`')).status())
			await context.close()
		}
		return said`)
	if got != "[200,200,401]" {
		t.Error(got)
	}
}
