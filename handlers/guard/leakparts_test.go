package guard_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pwpipe/internal/pipetest"
)

// leakParts run in parallel: most of their time they wait in vain.
var leakParts = map[string]func(*leakRun){
	"reading": (*leakRun).reading, "acting": (*leakRun).acting, "missing": (*leakRun).missing, "asking": (*leakRun).asking,
	"telling": (*leakRun).telling, "debugging": (*leakRun).debugging, "files": (*leakRun).files,
	"peers": (*leakRun).peers, "peers' storage": (*leakRun).peersStorage,
}

// reading calls the tools that read the page, whole and cut.
func (l *leakRun) reading() {
	l.must("wait", list{"#late", "attached"})
	for _, tool := range []string{"title", "url", "text", "links", "table", "markdown", "page.content", "page.text", "pages", "frames", "cookies", "storage", "snapshot",
		"response", "session.storageState", "dialogs", "routes", "requests", "vitals", "all"} {
		params := pipetest.Object{}
		if tool == "all" {
			params["sel"] = "p"
		}
		l.do(tool, params)
		for _, n := range pipetest.Some([]int{23, 60, 211}, 3) {
			l.do(tool, params, "max", n)
		}
	}
	for _, path := range []string{"/", "/data", "/inner", "/file", "/data?bad=1&q={{SPACES}}", "/app.js"} {
		l.do("read", list{path})
		l.do("read", list{path, true}, "max", 61)
	}
	for _, sel := range pipetest.Some([]string{"h2", "p", "#t0", "#i1", "#b2", "#grid", "#inner", ".cut"}, 2) {
		for _, tool := range []string{"txt", "html", "text", "value", "count", "vis", "box", "locator", "checked", "enabled", "editable", "markdown"} {
			l.do(tool, list{sel}, "timeout", 0.2)
		}
	}
	for _, name := range []string{"title", "data-x", "value", "placeholder", "aria-label", "name", "href"} {
		l.do("attr", pipetest.Object{"sel": "[" + name + "]", "name": name}, "timeout", 1)
	}
	for _, in := range []pipetest.Object{{}, {"full": true}, {"interactive": true}, {"depth": 2}, {"max": 300}, {"selector": "#grid"}, {"diff": true}} {
		l.do("snapshot", in)
	}
	for n := 1; n < 4; n++ {
		l.do("snapshot", pipetest.Object{"max": 400, "cursor": fmt.Sprintf("1-%d", n)})
	}
	for _, n := range slices.Concat(cutsAt, pipetest.Some([]int{700, 5000}, 2)) {
		l.do("page.text", pipetest.Object{"maxChars": n})
		l.do("page.text", pipetest.Object{"maxChars": n + 11, "normalize": false})
	}
	l.do("page.text", pipetest.Object{"selector": "#none"}, "timeout", 200)
	var piece struct{ Cursor string }
	_ = json.Unmarshal(l.do("text", pipetest.Object{}, "max", 97), &piece)
	for n := 11; n < 60 && piece.Cursor != ""; n += 7 {
		_ = json.Unmarshal(l.do("more", pipetest.Object{"cursor": strings.Trim(piece.Cursor, " "), "max": n}), &piece)
	}
	for _, text := range []string{"x x", obey, "xxxx", "o"} {
		l.do("find", list{text})
	}
	l.do("browser_find_text", list{obey})
	l.do("search", pipetest.Object{"pattern": "x", "context": 2})
	l.do("search", pipetest.Object{"pattern": obey, "lineLimit": 9})
	l.do("browser_search_snapshot", pipetest.Object{"pattern": "x"})
	l.do("find.byRole", pipetest.Object{"role": "button", "name": "{{TOKEN}}"}, "timeout", 2000)
	l.do("find.byRole", pipetest.Object{"role": "button", "name": "{{SPACES}} none"}, "timeout", 200)
	l.do("page.evaluate", pipetest.Object{"expression": "({all, title: document.title, html: document.body.outerHTML, list: all.map(encodeURIComponent), form: String(new URLSearchParams({a: all.join()}))})"})
	for _, code := range []string{"all", "({[all[0]]: all, n: Number(all.find((v) => /^4111/.test(v)))})", "JSON.stringify(JSON.stringify(all))", "all.map((v) => escape(v))", "all.map((v) => v.slice(3))",
		"btoa(unescape(encodeURIComponent('me:' + all.join())))", "all.map((v) => v.toUpperCase())", "all.map((v) => CSS.escape(v))", "(() => { throw new Error(all.join()) })()", "Promise.reject(all.join())",
		"new URL('http://h/' + all[3] + '?' + all[4] + '#' + all[5]).href", "const a = {}; a[all[2]] = a; a", "'iVBORw0KGgo' + btoa(unescape(encodeURIComponent(all.join()))).repeat(9)"} {
		l.do("eval", list{code})
		l.do("eval", list{code}, "max", 40)
		l.do("execute", pipetest.Object{"code": "await page.evaluate(" + jsText(code) + ")"})
		l.do("browser_execute", pipetest.Object{"code": "await page.evaluate(" + jsText(code) + ")"})
	}
}

// acting calls the tools that change the page, with secrets as arguments, on
// existing and missing elements.
func (l *leakRun) acting() {
	for i, name := range pipetest.Some([]string{"QUOTES", "LINES", "LONG", "SPACES"}, 3) {
		secret := "{{" + name + "}}"
		l.do("fill", list{"#i0", secret})
		l.do("fill", list{"#none-" + secret, "x"}, "timeout", 0.2)
		l.do("value", list{"#i0"})
		l.do("type", pipetest.Object{"sel": "#i1", "text": secret})
		l.do("paste", list{"#t1", secret})
		l.do("browser_paste", pipetest.Object{"selector": "#t2", "text": secret})
		l.do("copy", list{secret})
		l.do("clip", nil)
		l.do("browser_clipboard_write", list{secret})
		l.do("browser_clipboard_read", nil)
		l.do("set-cookie", pipetest.Object{"name": "mine", "value": fmt.Sprintf("{{TOKEN}}%d", i)})
		l.do("set-storage", list{"key " + secret, secret})
		l.do("storage", pipetest.Object{"key": "key " + secret})
		l.do("clear-storage", pipetest.Object{"key": secret})
		l.do("headers", pipetest.Object{"headers": pipetest.Object{"X-Mine": "{{TOKEN}}"}})
		l.do("headers", pipetest.Object{"headers": pipetest.Object{"X-Mine " + secret: secret}})
		l.do("user-agent", list{"agent {{TOKEN}}"})
		l.do("locale", list{secret})
		l.do("timezone", list{secret})
		l.do("device", list{secret})
		l.do("login", list{secret})
		l.do("press", list{secret})
		l.do("page.press", pipetest.Object{"selector": "#i0", "key": secret})
		l.do("page.fill", pipetest.Object{"selector": "#none-" + secret, "value": secret}, "timeout", 200)
		l.do("page.click", pipetest.Object{"selector": "text=" + secret}, "timeout", 200)
		l.do("dialog", pipetest.Object{"action": "accept", "text": secret, "times": 0})
		l.do("route", list{"**/" + secret, pipetest.Object{"body": secret}})
		l.do("route", list{"**/x", strings.Repeat("x", 70-i*3) + secret})
		l.do("unroute", list{"**/" + secret})
		for _, n := range []int{160, 200, 205, 300} {
			l.do("nav", list{"http://127.0.0.1:1/?p=" + strings.Repeat("x", max(n-30, 1)) + secret})
		}
		l.do("page.goto", pipetest.Object{"url": "mailto:" + secret}, "timeout", 500)
		l.do("nav", list{"not a url " + secret})
		l.must("nav", list{"/?q=" + secret + "&r=" + secret + "#" + secret})
		l.do("url", nil)
		l.do("expect-url", pipetest.Object{"url": "x"}, "timeout", 0.2)
		l.do("click", list{"#none"}, "timeout", 0.2)
	}
}

// missing calls tools that act, each in vain for some reason, and so waits.
func (l *leakRun) missing() {
	dir := l.dir
	missed := []string{"#none {{TOKEN}}", "#under", "#late", "text=" + obey + " {{UNICODE}}", "[[{{TOKEN}}"}
	for i, tool := range []string{"click", "dclick", "clear", "check", "uncheck", "hover", "rclick", "focus", "blur", "scroll", "eshot", "wait", "styles", "react-source", "frame"} {
		for _, sel := range []string{missed[0], missed[1+i%4]} {
			params := pipetest.Object{"sel": sel}
			if tool == "eshot" {
				params["path"] = filepath.Join(dir, "e.png")
			}
			l.do(tool, params, "timeout", 0.2)
		}
	}
	l.do("frame", pipetest.Object{})
	l.do("sel", list{"#choice", "none {{TOKEN}}"}, "timeout", 0.2)
	l.do("sel", list{"#choice", "{{TOKEN}}"}, "timeout", 2)
	l.do("drag", list{"#none {{TOKEN}}", "#none"}, "timeout", 0.2)
	l.do("drop", list{"#none {{TOKEN}}", list{filepath.Join(dir, "none {{TOKEN}}")}}, "timeout", 0.2)
	l.do("upload", list{"#upload", filepath.Join(dir, "none {{TOKEN}}")})
	l.do("shot", list{filepath.Join(dir, "{{TOKEN}}", "x.gif")})
	l.do("screenshot", pipetest.Object{"labels": true, "path": filepath.Join(dir, "l.png")})
	l.do("eval", list{"ask()"})
	l.do("dialogs", nil)
	l.do("reload", nil)
	l.do("page.reload", pipetest.Object{})
	l.do("back", nil)
	l.do("forward", nil)
	l.do("clear-cookies", pipetest.Object{"name": "{{TOKEN}}"})
	l.do("permit", pipetest.Object{"names": list{"{{LONG}}"}})
}

// asking calls tools that wait or check in vain, and that show the network.
func (l *leakRun) asking() {
	for _, sel := range []string{"p", ".cut >> nth=5"} {
		l.do("expect-text", list{sel, "none {{TOKEN}}"}, "timeout", 0.2)
		l.do("expect-value", list{"#i0", "none {{TOKEN}}"}, "timeout", 0.2)
		l.do("expect-snapshot", list{sel, "- paragraph: none {{TOKEN}}"}, "timeout", 0.2)
		l.do("expect-attr", list{sel, "title", "none"}, "timeout", 0.2)
		l.do("wait-text", list{sel, strings.Repeat("x", 70) + "{{TOKEN}}"}, "timeout", 0.2)
		l.do("browser_wait_for_element", pipetest.Object{"selector": sel, "text": "none", "timeout": 200})
		l.do("browser_wait_for_element", pipetest.Object{"selector": sel, "text": ""})
	}
	for _, state := range []string{"visible", "hidden", "checked", "enabled", "focused"} {
		l.do("expect-"+state, pipetest.Object{"sel": "#none {{TOKEN}}", "not": state == "hidden"}, "timeout", 0.2)
	}
	l.do("expect-count", list{"p {{TOKEN}}", 3}, "timeout", 0.2)
	l.do("expect-title", list{"{{TOKEN}}"}, "timeout", 0.2)
	l.do("expect-shot", list{filepath.Join(l.dir, "none.png")})
	l.do("page.waitFor", pipetest.Object{"state": "networkidle"}, "timeout", 2000)
	for _, url := range []string{"", "/none {{TOKEN}}", "data"} {
		l.do("requests", pipetest.Object{"url": url, "last": 50})
		l.do("wait-request", pipetest.Object{"url": url}, "timeout", 0.2)
		l.do("wait-response", pipetest.Object{"url": url}, "timeout", 0.2)
	}
	var sent []struct{ Request int }
	_ = json.Unmarshal(l.do("requests", pipetest.Object{"method": "POST"}), &sent)
	for _, r := range sent[max(0, len(sent)-3):] {
		l.do("request", list{r.Request})
		l.do("request", list{r.Request}, "max", 70)
	}
	l.do("logs.pull", nil)
	l.do("network.pull", pipetest.Object{"onlyErrors": false})
}

// telling calls what reports sockets, scripts and batches, in every dialect.
func (l *leakRun) telling() {
	dir := l.dir
	l.must("ws-mock", pipetest.Object{"pattern": "**/ws**", "greet": list{"{{TOKEN}}"}, "echo": true})
	l.must("nav", list{"/"}) // only later documents get mocked sockets
	l.must("eval", list{"new Promise((done) => { const s = new WebSocket('ws://h/ws?' + encodeURIComponent(all[0])); s.onmessage = done; s.onopen = () => s.send(all.join()); })"})
	l.do("ws-send", list{"{{LONG}}"})
	l.do("ws-messages", nil)
	for _, code := range pipetest.Some([]string{"await page.content()", "await page.title()", "page.url()", "console.log('x'.repeat(1990)); for (const v of await page.evaluate(() => all)) console.log(v, [v], {v}); throw new Error('{{TOKEN}}')",
		"await getLatestLogs({})", "await getLatestLogs({search: 'x'})", "await getCleanHTML({})", "await accessibilitySnapshot({})", "await page.locator('#none {{TOKEN}}').click({timeout: 200})",
		"await page.locator('#under').click({timeout: 200})", "await expect(page.locator('h2').first()).toHaveText('{{TOKEN}}', {timeout: 200})", "await page.goto('http://127.0.0.1:1/' + encodeURIComponent('{{LONG}}'))",
		"await context.cookies()", "await page.evaluate(() => { throw new Error(all.join()) })", "require('fs').writeFileSync(" + jsText(filepath.Join(dir, "script.html")) + ", await page.content())",
		"await screenshotWithAccessibilityLabels({})", "nonsense {{TOKEN}} ((", "page"}, 2) {
		l.do("execute", pipetest.Object{"code": code}, "timeout", 4)
		l.do("execute", pipetest.Object{"code": code}, "timeout", 4, "max", 50)
	}
	l.do("batch", pipetest.Object{"steps": list{list{"txt", "h2"}, list{"eval", pipetest.Object{"code": "all"}}, list{"fill", "#i0", "$1"}, list{"value", "#i0"}, list{"click", "#none {{TOKEN}}"}}, "on_error": "continue"}, "timeout", 3)
	l.do("batch", pipetest.Object{"steps": "title\nclick '#none {{TOKEN}}'"}, "timeout", 1)
	l.do("batch", pipetest.Object{"steps": list{list{"none {{TOKEN}}"}}})
	l.do("none {{TOKEN}}", nil)
	l.do("fill", pipetest.Object{"sel": 5, "{{TOKEN}}": oddSecrets()["TOKEN"]})
	l.must("nav", list{"/"})
	l.Send(`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	l.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, call := range []string{`"eval","arguments":{"code":"({all, t: document.title})"}`, `"snapshot","arguments":{"max":200}`, `"click","arguments":{"sel":"#none {{TOKEN}}","timeout":0.3}`,
		`"text","arguments":{"max":64}`, `"execute","arguments":{"code":"await page.evaluate(() => all)"}`, `"screenshot","arguments":{"labels":true}`} {
		l.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcp%d","method":"tools/call","params":{"name":%s}}`, i, call))
	}
	l.Send(`{"jsonrpc":"2.0","id":"rpc","method":"click","params":{"sel":"text=none {{LINES}}","timeout":0.3}}`)
	l.do("eval", list{"open2(1) && 1"})
	l.do("pages", nil)
}

// debugging calls the tools for scripts and styles.
func (l *leakRun) debugging() {
	l.do("eval", list{"globalThis.kept = all.map((name) => ({[name]: new ({[name]: class { a = [1.5, 2.5] }})[name], " +
		"gone: Object.assign(document.createElement(`x-y`), {id: name})})); 1"})
	heaps := list{filepath.Join(l.dir, "a.heapsnapshot"), filepath.Join(l.dir, "b.heapsnapshot")}
	l.do("heap", heaps[:1])
	l.do("heap", heaps[1:])
	l.do("heap-diff", heaps)
	l.do("eval", list{"all.forEach((name, i) => document.modelContext.registerTool({name: `tool${i}`, description: name, " +
		"inputSchema: {type: 'object', title: name}, execute: () => ({[name]: name})})); 1"})
	l.do("page-tools", nil)
	for i := range 4 {
		l.do("page-call", list{fmt.Sprint("tool", i)})
	}
	l.do("perf-trace-start", nil)
	l.do("eval", list{"all.forEach((name) => { performance.mark(name); new Function('document.body.style.width = " +
		"Math.random() * 9 + `px`; document.body.offsetWidth //# sourceURL=' + encodeURI(name))() }); 1"})
	l.do("perf-trace-stop", list{filepath.Join(l.dir, "trace.json")})
	for _, in := range []pipetest.Object{{"query": "x"}, {"query": obey, "limit": 5}, {"query": "x", "url": "none {{TOKEN}}"}, {"query": "[{{TOKEN}}"}} {
		l.do("code-search", in)
	}
	l.do("code-list", pipetest.Object{})
	l.do("code-read", pipetest.Object{"url": "app.js"})
	l.do("code-edit", pipetest.Object{"url": "app.js", "old": "{{TOKEN}}", "new": "{{SPACES}}"})
	l.do("debug-scripts", pipetest.Object{})
	l.do("debug-blackbox", pipetest.Object{"patterns": list{"[{{TOKEN}}"}})
	l.do("debug-break", pipetest.Object{"file": "app.js", "line": 6, "condition": "text !== '{{TOKEN}}' ||"})
	l.do("debug-break", pipetest.Object{"file": "app.js", "line": 9, "condition": "text !== '{{TOKEN}}'"})
	l.do("debug-breaks", pipetest.Object{})
	l.do("eval", list{"run() && 1"})
	l.do("debug-wait", nil, "timeout", 5)
	l.do("debug-where", nil)
	for frame := range 2 {
		l.do("debug-locals", pipetest.Object{"frame": frame})
		l.do("debug-eval", pipetest.Object{"code": "all", "frame": frame})
		l.do("debug-eval", pipetest.Object{"code": "({all, f: work, e: new Error(all[1])})", "frame": frame})
		l.do("debug-eval", pipetest.Object{"code": "none('{{TOKEN}}')", "frame": frame})
	}
	l.do("txt", list{"h1"}, "timeout", 0.2)
	l.do("debug-step", pipetest.Object{"kind": "out"})
	l.do("debug-pause", nil, "timeout", 1)
	l.do("debug-unbreak", pipetest.Object{})
	l.do("debug-resume", nil)
	l.do("debug-resume", nil)
}

// files calls the tools that write files.
func (l *leakRun) files() {
	site, dir := l.site, l.dir
	l.do("download", pipetest.Object{"sel": "#file"})
	l.do("download", pipetest.Object{"url": "/file", "path": dir + "/"})
	l.do("save-state", list{filepath.Join(dir, "state.json")})
	l.do("state-save", list{"leaks {{TOKEN}}"}) // no name
	l.do("load-state", list{filepath.Join(dir, "none {{TOKEN}}.json")})
	l.do("pdf", list{filepath.Join(dir, "x.pdf")})
	l.do("highlight", list{"#file", "{{TOKEN}}"})
	l.do("highlight", list{"#none", "x"}, "timeout", 0.2)
	var c, p string
	_ = json.Unmarshal(l.must("open-ctx", pipetest.Object{"har": filepath.Join(dir, "ctx.har")}), &c)
	_ = json.Unmarshal(l.must("new-page", list{c}), &p)
	l.must("nav", list{"/"}, "page", p)
	l.do("close-ctx", list{c})
	_ = json.Unmarshal(l.must("new-ctx", nil), &c)
	_ = json.Unmarshal(l.must("new-page", list{c}), &p)
	l.must("har-record", list{filepath.Join(dir, "rec.zip")}, "page", p)
	l.must("nav", list{"/"}, "page", p)
	l.do("use-page", list{p})
	l.do("close-page", list{"p99 {{TOKEN}}"})
	l.do("label-page", list{"{{TOKEN}}"})
	l.do("close-ctx", list{c})
	l.do("har-replay", list{filepath.Join(dir, "none.har")})
	session := func(action string, in pipetest.Object) {
		in["action"], in["browser_id"], in["timeout"] = action, "b", 1
		l.do("playwright_browser", in)
	}
	session("launch", pipetest.Object{})
	session("navigate", pipetest.Object{"url": site + "/?q={{SPACES}}"})
	session("type", pipetest.Object{"selector": "#i0", "text": "{{LONG}}", "content_mode": "html"})
	session("click", pipetest.Object{"selector": "#none {{TOKEN}}"})
	session("navigate", pipetest.Object{"url": site + "/inner?q={{SPACES}}"}) // a picture of the whole page would have ten thousand lines
	session("screenshot", pipetest.Object{})
	session("list", pipetest.Object{})
	session("close", pipetest.Object{})
	l.do("reset", nil)
}

func jsText(s string) string { raw, _ := json.Marshal(s); return string(raw) }
