package service_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// tooMuch are ways to use up stack or memory in one step, from a script, a page
// or a server: a session's code, and what its answer contains. NESTED is the
// URL of a server that answers a million brackets.
var tooMuch = []struct{ name, code, want string }{
	{"state", `state.a = []; for (;;) state.a.push(Buffer.alloc(1 << 20, 1))`, "hold too much memory"},
	{"the state is empty", `Object.keys(state).length`, `"result":0`},
	{"a server's answer", `await (await page.request.get('NESTED')).json()`, "SyntaxError"},
	{"a server's answer to fetch", `await (await fetch('NESTED')).json()`, "SyntaxError"},
	{"a server's answer to a page", `const [r] = await Promise.all([page.waitForResponse('NESTED'), page.goto('NESTED')]); await r.json()`, "SyntaxError"},
	{"JSON.parse", `JSON.parse('['.repeat(1 << 20))`, "SyntaxError"},
	{"JSON.stringify", `JSON.stringify({ a: 1 }, () => ({ a: 1 }))`, "RangeError"},
	{"source", strings.Repeat("(", 300_000), "SyntaxError: the source may be nested too deep"},
	{"source in TypeScript", "let x: any;" + strings.Repeat("`${(<any>", 20_000), "the source may be nested too deep"},
	{"labels", strings.Repeat("a:", 100_000), "SyntaxError"},
	{"eval", `eval('('.repeat(100_000))`, "RangeError"},
	{"a pattern", `new RegExp('('.repeat(100_000))`, "SyntaxError: Invalid regular expression"},
	{"a deep value", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; await page.evaluate((x) => 1, a)`, "RangeError"},
	{"a deep result", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a`, "RangeError"},
	{"a proxy of a proxy", `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.a`, "RangeError"},
	{"numbers of 64 bits", `new BigInt64Array(2 ** 42)`, "RangeError: Invalid typed array length"},
	{"a shift", `1n << (2n ** 40n)`, "RangeError: Maximum BigInt size exceeded"},
	{"Array.prototype.join", `Array(2 ** 32 - 1).join('ab')`, "RangeError: Invalid string length"},
	{"split", `'x'.repeat(5e7).split('')`, "hold too much memory"},
	{"a result without end", `'x'.repeat(4e8)`, "the script process ended"},
	{"listeners", `for (;;) page.on('request', () => {})`, "hold too much memory"},
	{"pictures without end", `const a = []; for (let i = 0; i < 40; i++) a.push(Buffer.concat([Buffer.from([0x89, 0x50]), Buffer.alloc(1 << 20)])); a.length`, `"result":40`},
	{"a page that gives an object that holds itself", `const seen = []; await page.exposeFunction('given', (x) => { seen.push(x.self === x || String(x.self)); });
		await page.evaluate(() => { const a = { b: [] }; a.self = a; a.b.push(a); return given(a); }); seen.length`, `"result":1`},
	{"a page that gives what is deep", `await page.exposeFunction('deeply', () => 1); await page.evaluate(() => { let a = []; for (let i = 0; i < 3000; i++) a = [a]; return deeply(a).then(() => 1); })`, "call stack"},
	{"a page that answers what holds itself", `const a = await page.evaluate(() => { const a = {}; a.a = a; return a; }); Object.keys(a).length`, `"result":1`},
	{"a page that words a call itself", `await page.exposeFunction('worded', () => 1); await page.evaluate(() => {
		let deep = '{"n":1}'; for (let i = 0; i < 3000; i++) deep = '{"a":[' + deep + '],"id":1}';
		for (const junk of ['junk', '', 'null', '[]', '{}', '{"name":"worded"}', '{"name":"__proto__","seq":77,"serializedArgs":[]}', '{"name":"worded","seq":{},"serializedArgs":[{"ref":1}]}',
			'{"name":"worded","seq":77,"serializedArgs":"x"}', '{"name":"worded","seq":9,"serializedArgs":[{"o":[{"k":"x","v":{"d":"z"}}],"id":1},{"r":{"p":"(","f":"q"}},{"bi":"x"},{"u":"::"},{"ta":{"b":"x","k":"z"}},{"h":3}]}',
			'['.repeat(1e6), '{"name":"worded","seq":77,"serializedArgs":[' + deep + ']}']) __playwright__binding__(junk);
		return worded(1); })`, `"result":1`},
}

// TestNobodyEndsTheService: whatever a script, a page or a server returns in
// one session, the session gets an answer, and another session goes on.
func TestNobodyEndsTheService(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	nested := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(strings.Repeat("[", 1<<20)))
	}))
	t.Cleanup(nested.Close)
	svc := pipetest.StartService(t, "--script-memory=256", "--allow-host-regex=^http://127\\.0\\.0\\.1[:/]")
	other := svc.Open(nil)
	other.On("page.goto", m{"url": "/login"})
	other.Execute("state.kept = 'all along'", nil)
	s := svc.Open(nil)
	s.On("page.goto", m{"url": "/login"})
	for _, c := range pipetest.Some(tooMuch, 3) {
		began := time.Now()
		answer := s.Said("execute", s.With(m{"code": strings.ReplaceAll(c.code, "NESTED", nested.URL+"/"), "timeout": 60}))
		if !strings.Contains(answer, c.want) {
			t.Errorf("%s: %q is missing in %.300s", c.name, c.want, answer)
		}
		var kept string
		if other.Execute("state.kept", &kept); kept != "all along" || other.On("txt", m{"sel": "h1"}) != `"Sign in"` {
			t.Fatalf("%s: the other session has lost its state: %q", c.name, kept)
		}
		t.Logf("%s: %v", c.name, time.Since(began).Round(time.Millisecond))
	}
	if n := svc.Metric("pwpipe_browser_restarts_total"); n != "0" {
		t.Errorf("the browser was started again %s times", n)
	}
}
