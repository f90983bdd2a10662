package service

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// tooMuch are ways to take all stack or all memory in one step, by a script, a
// page or a server: what one session tries, and what its answer says. NESTED
// stands for the address of a server that answers 8 MB of brackets.
var tooMuch = []struct{ name, code, want string }{
	{"state", `state.a = 'a'.repeat(6e7); state.b = 'b'.repeat(6e7); 1`, "is more than 64 MiB: the state was emptied"},
	{"the state was emptied", `Object.keys(state).length`, `"result":0`},
	{"a server's answer", `await (await page.request.get('NESTED')).json()`, "nested 8388608 deep, 1000 is the most"},
	{"a server's answer to fetch", `await (await fetch('NESTED')).json()`, "nested 8388608 deep, 1000 is the most"},
	{"a server's answer to a page", `const [r] = await Promise.all([page.waitForResponse('NESTED'), page.goto('NESTED')]); await r.json()`, "nested 8388608 deep"},
	{"JSON.parse", `JSON.parse('['.repeat(8 << 20))`, "nested 8388608 deep"},
	{"JSON.stringify", `JSON.stringify({ a: 1 }, () => ({ a: 1 }))`, "nested more than 1000 deep"},
	{"toJSON", `const deep = () => ({ toJSON: () => ({ deep: deep() }) }); JSON.stringify(deep())`, "nested more than 1000 deep"},
	{"source", strings.Repeat("(", 300_000), "may be nested too deep"},
	{"source in TypeScript", "let x: any;" + strings.Repeat("`${(<any>", 20_000), "may be nested too deep"},
	{"labels", strings.Repeat("a:", 100_000), "colons that may be labels"},
	{"eval", `eval('('.repeat(100_000))`, "may be nested too deep"},
	{"new Function", `new Function('('.repeat(100_000))`, "may be nested too deep"},
	{"parameters of new Function", `new Function('a=' + '['.repeat(100_000), '')`, "may be nested too deep"},
	{"a generator's constructor", `(function* () {}).constructor('{'.repeat(100_000))`, "may be nested too deep"},
	{"a pattern", `new RegExp('('.repeat(100_000))`, "100000 groups, 1000 are the most"},
	{"a pattern by match", `''.match('('.repeat(100_000))`, "100000 groups, 1000 are the most"},
	{"a deep value", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; await page.evaluate((x) => 1, a)`, "calls are nested more than 1500 deep"},
	{"flat", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)`, "nested more than 1000 deep"},
	{"join", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; '' + a`, "nested more than"},
	{"a conversion that comes back", `const o = {}; o.toString = String.prototype.concat.bind('a', o); '' + o`, "nested more than"},
	{"proxies", `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.a`, "chained more than 100"},
	{"numbers of 64 bits", `new BigInt64Array(2 ** 42)`, "4398046511104 members of 8 bytes"},
	{"an array-like", `new Float64Array({ length: 2 ** 40 })`, "1099511627776 members"},
	{"Buffer.from", `Buffer.from({ length: 2 ** 40 })`, "1099511627776 members"},
	{"a shift", `1n << (2n ** 40n)`, "a shift by 1099511627776"},
	{"a power", `2n ** (2n ** 40n)`, "to the power of 1099511627776"},
	{"a shift in eval", `eval('1n << (2n ** 40n)')`, "<< >> and ** take a number that is written out"},
	{"concat", `const a = { length: 2 ** 40, [Symbol.isConcatSpreadable]: true }; [].concat(a, a)`, "members"},
	{"repeat, whose count answers twice", `let n = 0; 'ab'.repeat({ valueOf: () => n++ ? 2 ** 30 : 1 })`, `"ab"`},
	{"Array.prototype.join", `Array(2 ** 32 - 1).join('ab')`, "more than 67108864 characters"},
	{"replaceAll", `'x'.repeat(1e6).replaceAll('x', 'y'.repeat(1e6))`, "more than 67108864 characters"},
	{"split", `'x'.repeat(5e7).split('')`, "more than 4194304 parts"},
	{"what a listener holds", `const held = []; page.on('console', () => { for (let i = 0; i < 6e5; i++) held.push({ i }); });
		const heard = page.waitForEvent('console'); await page.evaluate(() => console.log(1)); await heard; while (held.length < 6e5) await page.title(); 1`, "is more than 64 MiB: the state was emptied"},
	{"a WeakMap that is kept", `state.w = new WeakMap(); state.k = []; for (let i = 0; i < 1e5; i++) { const k = {}; state.w.set(k, { i }); if (i % 2) state.k.push(k); } state.k.length`, "50000"},
	{"listeners", `for (;;) page.on('request', () => {})`, "more than 1000 listeners"},
	{"routes", `for (let i = 0; ; i++) await page.route('**/' + i, (r) => r.abort())`, "more than 1000 routes"},
	{"timers", `for (;;) setTimeout(() => {}, 1e6)`, "more than 10000 timers"},
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

// TestNobodyEndsTheService: whatever a script, a page or a server hands over in
// one session, it gets an answer, and another session goes on.
func TestNobodyEndsTheService(t *testing.T) {
	t.Parallel()
	nested := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(strings.Repeat("[", 8<<20)))
	}))
	t.Cleanup(nested.Close)
	svc := pipetest.StartService(t, "--allow-host-regex=^http://127\\.0\\.0\\.1[:/]")
	other := svc.Open(nil)
	other.On("page.goto", m{"url": "/login"})
	other.Execute("state.kept = 'all along'", nil)
	s := svc.Open(nil)
	s.On("page.goto", m{"url": "/login"})
	for _, c := range tooMuch {
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
