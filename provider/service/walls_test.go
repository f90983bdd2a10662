package service_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// mark is in everything of the victim of TestSessionsApart: its login, storage,
// typed text, clipboard, logs, downloads.
const mark = "blackrock-7391"

// attacker is the session that tries, with ids of the other that it might know
// by accident.
type attacker struct {
	pipetest.Session
	target, context, frame string // Chromium's ids for the victim's page
}

// way is a way in which one session might see or change another.
type way struct {
	name string
	try  func(a attacker) string // returns the reply or an error's text
}

// tool calls a tool in the attacker's session.
func tool(method string, params m) func(attacker) string {
	return func(a attacker) string { return a.Said(method, a.With(params)) }
}

// js runs a script. TARGET, CONTEXT and FRAME are replaced by the victim's ids.
func js(code string) func(attacker) string {
	return func(a attacker) string {
		code := strings.NewReplacer("TARGET", a.target, "CONTEXT", a.context, "FRAME", a.frame).Replace(code)
		return a.Said("execute", a.With(m{"code": code, "timeout": 10}))
	}
}

// cdp sends a command on a CDP session of the attacker's page. It returns the
// reply, and the events meanwhile.
func cdp(command, params string) func(attacker) string {
	domain, _, _ := strings.Cut(command, ".")
	return js(`const c = await context.newCDPSession(page), heard = [];
		for (const e of ['Target.targetCreated', 'Target.attachedToTarget', 'Target.receivedMessageFromTarget', 'ServiceWorker.workerRegistrationUpdated',
			'Network.requestWillBeSent', 'Runtime.executionContextCreated', 'Tracing.dataCollected', '` + domain + `.event']) c.on(e, (x) => heard.push(x));
		let r; try { r = await c.send('` + command + `', ` + params + `); } catch (e) { r = e.message; }
		await page.waitForTimeout(45); await c.detach().catch(() => {}); JSON.stringify([r, heard])`)
}

// inPage evaluates in the attacker's page, which has the victim's origin.
func inPage(code string) func(attacker) string {
	return tool("page.evaluate", m{"expression": code, "timeout": 10000})
}

// get sends an HTTP request.
func get(method, path, body string, headers ...string) func(attacker) string {
	return func(a attacker) string {
		status, text, _ := a.Do(method, path, body, headers...)
		return fmt.Sprint(status, " ", text)
	}
}

// victim logs in, and leaves its mark everywhere.
func victim(svc *pipetest.Service, downloads string) pipetest.Session {
	v := svc.Open(nil)
	v.On("page.goto", m{"url": "/login"})
	v.On("fill", m{"sel": "#email", "val": mark + "@skerry.example"})
	v.On("fill", m{"sel": "#password", "val": "secret"})
	v.On("click", m{"sel": "text=Sign in >> nth=-1"})
	v.On("wait", m{"sel": "text=" + mark})
	v.On("page.goto", m{"url": "/sw"})
	v.On("page.evaluate", m{"expression": `async () => {
		const mark = '` + mark + `';
		document.cookie = 'plain=' + mark; localStorage.mark = mark; sessionStorage.mark = mark; window.name = mark; document.title = mark;
		document.body.insertAdjacentHTML('afterbegin', '<input id=typed>');
		(await caches.open(mark)).put('/' + mark, new Response(mark));
		await new Promise((r) => { indexedDB.open(mark).onsuccess = r; });
		await navigator.serviceWorker.register('/sw.js?' + mark);
		history.replaceState(mark, '', '/sw?' + mark);
		navigator.locks.request(mark, () => new Promise(() => {}));
		const dir = await navigator.storage.getDirectory(); await dir.getFileHandle(mark, { create: true });
		const all = new BroadcastChannel('all');
		setInterval(() => { all.postMessage(mark); localStorage.tick = mark + Math.random(); console.log(mark); }, 40);
		return 1 }`})
	v.On("fill", m{"sel": "#typed", "val": mark})
	v.On("copy", m{"text": mark})
	v.On("press", m{"sel": "#typed", "key": "Control+A"})
	v.On("press", m{"sel": "#typed", "key": "Control+C"})
	v.Execute(`state = { mark: '`+mark+`' }; await context.exposeFunction('told', () => '`+mark+`'); await context.route('**/kept-route', (r) => r.fulfill({ body: '`+mark+`' })); 1`, nil)
	v.Execute(`const p = await (await browser.newContext({ userAgent: '`+mark+`' })).newPage(); await p.goto(new URL('/login', page.url()).href); await p.fill('#email', '`+mark+`'); 1`, nil)
	v.On("new-page", m{"ctx": "c1"})
	file := filepath.Join(downloads, "made.txt")
	if err := os.WriteFile(file, []byte(mark), 0o600); err != nil {
		svc.T.Fatal(err)
	}
	v.Execute(`await page.evaluate(() => { const a = document.createElement('a'); a.id = 'get'; a.download = '`+mark+`.txt'; a.href = URL.createObjectURL(new Blob(['`+mark+`'])); a.textContent = 'get'; document.body.append(a); }); 1`, nil)
	v.On("download", m{"sel": "#get"})
	v.On("playwright_browser", m{"action": "launch", "browser_id": mark})
	return v
}

// signIn signs the attacker in as another user of the victim's site.
func signIn(s pipetest.Session) {
	s.On("page.goto", m{"url": "/login"})
	s.On("fill", m{"sel": "#email", "val": "keeper@skerry.example"})
	s.On("fill", m{"sel": "#password", "val": "secret"})
	s.On("click", m{"sel": "text=Sign in >> nth=-1"})
	s.On("wait", m{"sel": "text=keeper@"})
	s.On("page.goto", m{"url": "/sw"})
}

// TestSessionsApart: no session of the service can see or change another.
func TestSessionsApart(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	temp := t.TempDir()
	traces := filepath.Join(temp, "traces")
	svc := pipetest.StartService(t, "TMPDIR="+temp, "--trace-on-failure="+traces, "--allow-dir="+temp, "MAX_CONTEXTS=12",
		"--session-ttl-ms=600000") // the victim is idle for as long as the attacker needs
	traced := svc.Open(nil) // leaves a trace behind
	traced.Said("eval", traced.With(m{"code": "new Promise(() => {})", "timeout": 1}))
	traced.On("session.close", nil)
	if left, _ := filepath.Glob(filepath.Join(traces, "*"+traced.ID[:10]+"*.zip")); len(left) != 1 {
		t.Errorf("traces of a call that took too long: %q", left)
	}
	v := victim(svc, t.TempDir())
	a := attacker{Session: svc.Open(m{"har": true})}
	var ids []struct{ TargetID, BrowserContextID string }
	v.Execute(`const c = await context.newCDPSession(page); [(await c.send('Target.getTargetInfo')).targetInfo]`, &ids)
	a.target, a.context, a.frame = ids[0].TargetID, ids[0].BrowserContextID, ids[0].TargetID
	signIn(a.Session)

	before := kept(v)
	secrets := append(secrets(v, temp), mark, v.ID)
	seen := func(name, reply string) {
		for _, s := range secrets {
			if strings.Contains(reply, s) {
				t.Errorf("%s: %q is the other session's: %s", name, s, excerpt(reply, s))
			}
		}
	}
	for _, w := range pipetest.Some(ways, 10) {
		seen(w.name, w.try(a))
	}
	if after := kept(v); after != before {
		t.Errorf("the other session was touched:\nbefore %s\nafter  %s", before, after)
	}
	seen("its HAR", a.Said("session.close", m{"session_id": a.ID}))
	if after := kept(v); after != before {
		t.Errorf("the other session was touched when this one closed:\nbefore %s\nafter  %s", before, after)
	}
}

// kept is a session's state that another might change, as server and page see
// it.
func kept(c pipetest.Session) string {
	c.T.Helper()
	var page, dash string
	c.Execute(`const p = context.pages()[0];
		JSON.stringify([await p.evaluate(async () => [location.href, document.title, document.querySelector('#typed')?.value, localStorage.mark, sessionStorage.mark, window.name,
			await caches.keys(), (await indexedDB.databases()).length, (await navigator.serviceWorker.getRegistrations()).length, document.cookie, navigator.onLine, await told(), history.state]),
			state.mark, browser.isConnected(), browser.contexts().map((c) => c.pages().length), (await context.cookies()).length])`, &page)
	c.Execute(`(await context.request.get('/dashboard')).text()`, &dash)
	return fmt.Sprint(page, " ", strings.Contains(dash, mark+"@skerry.example"), " ", c.Said("clip", c.With(nil)))
}

// secrets are what only the session may know, besides its mark.
func secrets(c pipetest.Session, temp string) (list []string) {
	c.T.Helper()
	var state struct {
		StorageState struct {
			Cookies []struct{ Name, Value string }
		}
	}
	c.On("session.storageState", nil, &state)
	for _, cookie := range state.StorageState.Cookies {
		if cookie.Name == "skerry_session" {
			list = append(list, cookie.Value)
		}
	}
	for _, pattern := range []string{"pwpipe-download-*", "pwpipe-run-*", "playwright_browser/pwpipe-session-*"} {
		folders, _ := filepath.Glob(filepath.Join(temp, pattern))
		if len(folders) == 0 {
			c.T.Errorf("there is no %s", pattern)
		}
		for _, f := range folders {
			list = append(list, filepath.Base(f))
		}
	}
	if len(list) < 4 {
		c.T.Fatalf("not everything is there that is to be kept: %v", list)
	}
	return list
}

func excerpt(text, s string) string {
	i := strings.Index(text, s)
	raw, _ := json.Marshal(text[max(0, i-80):min(len(text), i+len(s)+80)])
	return string(raw)
}
