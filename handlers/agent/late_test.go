//go:build evidence

package agent_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// lateWays are the ways in which a page goes on with a click, up to a twentieth of a second later. Each is the code
// of a page that has no other; say shows what the page says.
var lateWays = map[string]string{
	"at once":            `go.onclick = say`,
	"promise":            `go.onclick = () => Promise.resolve().then(say)`,
	"promises":           `go.onclick = async () => { for (let i = 0; i < 1000; i++) await i; say() }`,
	"microtask":          `go.onclick = () => queueMicrotask(() => queueMicrotask(say))`,
	"timer of nothing":   `go.onclick = () => setTimeout(say)`,
	"timer":              `go.onclick = () => setTimeout(say, 25)`,
	"timers":             `go.onclick = () => setTimeout(() => setTimeout(say, 10), 10)`,
	"interval":           `go.onclick = () => { const i = setInterval(() => { clearInterval(i); say() }, 20) }`,
	"frame":              `go.onclick = () => requestAnimationFrame(say)`,
	"frames":             `go.onclick = () => requestAnimationFrame(() => requestAnimationFrame(say))`,
	"timer, frame":       `go.onclick = () => setTimeout(() => requestAnimationFrame(say), 5)`,
	"interval of before": `let asked; setInterval(() => { if (asked) say(); asked = false }, 20); go.onclick = () => { asked = true }`,
	"timer of before":    `let asked; const f = () => { if (asked) say(); asked = false; setTimeout(f, 20) }; f(); go.onclick = () => { asked = true }`,
	"frames of before":   `let asked; const f = () => { if (asked) say(); asked = false; requestAnimationFrame(f) }; f(); go.onclick = () => { asked = true }`,
	"idle":               `go.onclick = () => requestIdleCallback(say)`,
	"idle twice":         `go.onclick = () => requestIdleCallback(() => requestIdleCallback(say))`,
	"channel":            `go.onclick = () => { const c = new MessageChannel(); c.port1.onmessage = say; c.port2.postMessage(1) }`,
	"channel of before":  `const c = new MessageChannel(); c.port1.onmessage = say; go.onclick = () => c.port2.postMessage(1)`,
	"channel, often": `const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => n++ < 200 ? c.port2.postMessage(1) : say();
go.onclick = () => c.port2.postMessage(1)`,
	"channel, long": `const c = new MessageChannel(); let end; c.port1.onmessage = () => performance.now() < end ? c.port2.postMessage(1) : say();
go.onclick = () => { end = performance.now() + 20; c.port2.postMessage(1) }`,
	"message":         `onmessage = say; go.onclick = () => postMessage(1)`,
	"task":            `go.onclick = () => scheduler.postTask(say)`,
	"background task": `go.onclick = () => scheduler.postTask(() => scheduler.postTask(say, {priority: 'background'}), {priority: 'background'})`,
	"delayed task":    `go.onclick = () => scheduler.postTask(say, {delay: 20})`,
	"yield":           `go.onclick = async () => { for (let i = 0; i < 5; i++) await scheduler.yield(); say() }`,
	"fetch":           `go.onclick = () => fetch('/late?ms=0').then(say)`,
	"slow fetch":      `go.onclick = () => fetch('/late?ms=25').then(say)`,
	"request":         `go.onclick = () => { const x = new XMLHttpRequest(); x.onload = say; x.open('GET', '/late?ms=15'); x.send() }`,
	"fetch of data":   `go.onclick = () => fetch('data:text/plain,x').then((r) => r.text()).then(say)`,
	"fetch of a blob": `go.onclick = () => fetch(URL.createObjectURL(new Blob(['x']))).then((r) => r.text()).then(say)`,
	"request of data": `go.onclick = () => { const x = new XMLHttpRequest(); x.onload = say; x.open('GET', 'data:text/plain,x'); x.send() }`,
	"image":           `go.onclick = () => { const i = document.createElement('img'); i.onload = say; i.src = '/image?ms=10'; document.body.append(i) }`,
	"image of data":   `go.onclick = () => { const i = document.createElement('img'); i.onload = say; i.src = PIXEL }`,
	"decoded image":   `go.onclick = () => { const i = document.createElement('img'); i.src = PIXEL; i.decode().then(say) }`,
	"bitmap":          `go.onclick = () => createImageBitmap(new ImageData(500, 500)).then(say)`,
	"canvas":          `go.onclick = () => { const c = document.createElement('canvas'); c.width = c.height = 300; c.toBlob(say) }`,
	"script":          `go.onclick = () => { const s = document.createElement('script'); s.onload = say; s.src = '/script?ms=10'; document.body.append(s) }`,
	"script of data":  `go.onclick = () => { const s = document.createElement('script'); s.src = 'data:text/javascript,say()'; document.body.append(s) }`,
	"style sheet": `go.onclick = () => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = say; s.href = '/style?ms=10';
document.head.append(s) }`,
	"module":       `go.onclick = () => import('/module?ms=10').then(say)`,
	"frame within": `go.onclick = () => { const f = document.createElement('iframe'); f.onload = say; f.srcdoc = 'x'; document.body.append(f) }`,
	"database":     `go.onclick = () => { indexedDB.open('a').onsuccess = say }`,
	"databases": `const asked = (r) => new Promise((done) => { r.onsuccess = () => done(r.result) }); go.onclick = async () => {
const open = indexedDB.open('b' + Math.random()); open.onupgradeneeded = () => open.result.createObjectStore('s'); const db = await asked(open);
for (let i = 0; i < 5; i++) await asked(db.transaction('s').objectStore('s').get(i)); say() }`,
	"cache":           `go.onclick = () => caches.open('x').then((c) => c.match('/none')).then(say)`,
	"file system":     `go.onclick = async () => { await (await navigator.storage.getDirectory()).getFileHandle('x', {create: true}); say() }`,
	"estimate":        `go.onclick = () => navigator.storage.estimate().then(say)`,
	"lock":            `go.onclick = () => navigator.locks.request('x', say)`,
	"permission":      `go.onclick = () => navigator.permissions.query({name: 'geolocation'}).then(say)`,
	"cookie":          `go.onclick = () => cookieStore.get('x').then(say)`,
	"digest":          `go.onclick = () => crypto.subtle.digest('SHA-512', new Uint8Array(5e6)).then(say)`,
	"key":             `go.onclick = () => crypto.subtle.generateKey({name: 'ECDSA', namedCurve: 'P-256'}, true, ['sign']).then(say)`,
	"compiled":        `go.onclick = () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(say)`,
	"file":            `go.onclick = () => { const r = new FileReader(); r.onload = say; r.readAsText(new File(['x'.repeat(1e6)], 'x')) }`,
	"blob":            `go.onclick = () => new Blob(['x'.repeat(1e6)]).text().then(say)`,
	"response":        `go.onclick = () => new Response('x').text().then(say)`,
	"compressed":      `go.onclick = () => new Response(new Response('x'.repeat(1e6)).body.pipeThrough(new CompressionStream('gzip'))).arrayBuffer().then(say)`,
	"stream":          `go.onclick = async () => { for await (const c of new ReadableStream({start(s) { for (let i = 0; i < 100; i++) s.enqueue(i); s.close() }})); say() }`,
	"worker":          `go.onclick = () => { new Worker('data:text/javascript,postMessage(1)').onmessage = say }`,
	"worker, waiting": `const w = new Worker('data:text/javascript,onmessage = () => setTimeout(() => postMessage(1), 20)'); w.onmessage = say; go.onclick = () => w.postMessage(1)`,
	"shared worker": `const w = new SharedWorker('data:text/javascript,onconnect = (e) => { e.ports[0].onmessage = () => e.ports[0].postMessage(1) }');
w.port.onmessage = say; go.onclick = () => w.port.postMessage(1)`,
	"broadcast":      `const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'); a.onmessage = say; go.onclick = () => b.postMessage(1)`,
	"new web socket": `go.onclick = () => { new WebSocket(SOCKET).onerror = say }`,
	"events":         `go.onclick = () => { new EventSource('/events?ms=10').onmessage = say }`,
	"animation":      `go.onclick = () => p.animate({opacity: [.5, 1]}, 20).finished.then(say)`,
	"transition":     `p.style.transition = 'opacity 20ms'; p.ontransitionend = say; go.onclick = () => { p.style.opacity = p.style.opacity ? '' : .5 }`,
	"CSS animation":  `p.onanimationend = say; go.onclick = () => { p.style.animation = 'move 20ms' }`,
	"within a shadow": `const e = document.createElement('div'); document.body.append(e); const r = e.attachShadow({mode: 'open'}); r.innerHTML = '<b style="transition: opacity 20ms">b</b>';
r.firstChild.ontransitionend = say; go.onclick = () => { r.firstChild.style.opacity = .5 }`,
	"view transition": `go.onclick = () => document.startViewTransition(say)`,
	"drawn shape": `document.body.insertAdjacentHTML('beforeend', '<svg><rect width=9 height=9><animate id=a attributeName=x to=5 dur=.02s begin=indefinite /></rect></svg>');
a.onend = say; go.onclick = () => a.beginElement()`,
	"size":          `let n = 0; new ResizeObserver(() => n++ && say()).observe(p); go.onclick = () => { p.style.width = '50px' }`,
	"in view":       `let n = 0; new IntersectionObserver(() => n++ && say()).observe(p); go.onclick = () => { p.style.marginTop = '9000px' }`,
	"change":        `new MutationObserver(() => out.textContent || say()).observe(p, {attributes: true}); go.onclick = () => { p.title = 'x' }`,
	"mark":          `new PerformanceObserver(say).observe({type: 'mark'}); go.onclick = () => performance.mark('x')`,
	"scroll":        `onscroll = say; go.onclick = () => scrollTo(0, 50)`,
	"scroll end":    `onscrollend = say; go.onclick = () => { document.documentElement.scrollTop = 50 }`,
	"details":       `document.body.insertAdjacentHTML('beforeend', '<details id=d><summary>d</summary>text</details>'); d.ontoggle = say; go.onclick = () => { d.open = !d.open }`,
	"popover":       `document.body.insertAdjacentHTML('beforeend', '<div popover id=d>text</div>'); d.ontoggle = say; go.onclick = () => d.showPopover()`,
	"dialog":        `document.body.insertAdjacentHTML('beforeend', '<dialog id=d>text</dialog>'); d.onclose = say; go.onclick = () => { d.show(); d.close() }`,
	"hash":          `onhashchange = say; go.onclick = () => { location.hash = Math.random() }`,
	"history":       `window.onpopstate = say; history.pushState(1, '', '#a'); history.pushState(2, '', '#b'); go.onclick = () => history.back()`,
	"history alone": `window['onpop' + 'state'] = say; history.pushState(1, '', '#a'); history.pushState(2, '', '#b'); go.onclick = () => history.go(-1)`,
	"selection":     `document.onselectionchange = say; go.onclick = () => getSelection().selectAllChildren(p)`,
	"font":          `go.onclick = () => document.fonts.load('10px serif').then(say)`,
	"new font":      `go.onclick = () => new FontFace('x', 'url(/font?ms=10)').load().then(say, say)`,
	"sound":         `go.onclick = () => new OfflineAudioContext(1, 4410, 44100).startRendering().then(say)`,
	"agent":         `go.onclick = () => navigator.userAgentData.getHighEntropyValues(['model']).then(say)`,
	"waits":         `const m = new Int32Array(new WebAssembly.Memory({initial: 1, maximum: 1, shared: true}).buffer); go.onclick = () => Atomics.waitAsync(m, 0, 0, 15).value.then(say)`,
	"connection":    `go.onclick = () => new RTCPeerConnection().createOffer({offerToReceiveAudio: true}).then(say)`,
	"element": `class E extends HTMLElement { connectedCallback() { Promise.resolve().then(say) } } customElements.define('e-e', E);
go.onclick = () => document.body.append(new E())`,
	"code that is made":    `go.onclick = () => (0, eval)('indexed' + 'DB.open("a").onsuccess = say')`,
	"code of a request":    `fetch('/code').then((r) => r.text()).then((text) => { go.onclick = new Function(text) })`,
	"code of an attribute": `go.setAttribute('onclick', 'crypto.subtle.digest("SHA-512", new Uint8Array(5e5)).then(say)')`,
	"code within":          `document.body.insertAdjacentHTML('beforeend', '<b id=b onclick="caches.keys().then(say)">b</b>'); go.onclick = () => b.click()`,
}

// latePage is a page of one way.
func latePage(name, code string) string {
	return fmt.Sprintf(`<!doctype html><title>Late</title><style>@keyframes move { to { opacity: .9 } }</style><button id=go>Go</button><p id=p>text</p><div id=out></div>
<p style="height: 3000px">long</p><script>const go = document.getElementById('go'), say = () => { out.textContent = 'said %s ' + ++said }; let said = 0; %s</script>`, name, code)
}

// TestLateWordsAreTold: what a page says up to a twentieth of a second after a click is told by the click, whichever
// way it comes; and a page is given up as at rest only where it says nothing more.
func TestLateWordsAreTold(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	clickLate(t, startTelling(t, "/"), func(name, got string) bool { return strings.Contains(got, "said "+name) })
}

// TestLateChangesAreChanges: of a click that changes something up to a twentieth of a second later nobody is told
// that nothing changed, where the outline is not told.
func TestLateChangesAreChanges(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	clickLate(t, start(t, "/"), func(_, got string) bool { return !strings.Contains(got, "nothing changed") })
}

// clickLate clicks in a page of each way, with the driver's click and with one of ours, and has what is told checked.
func clickLate(t *testing.T, p *pipetest.Pipe, isTold func(name, got string) bool) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ms := r.FormValue("ms"); ms != "" {
			pause, _ := time.ParseDuration(ms + "ms")
			<-time.After(pause)
		}
		kinds := map[string]string{"/image": "image/svg+xml", "/script": "text/javascript", "/module": "text/javascript", "/style": "text/css",
			"/events": "text/event-stream", "/late": "text/plain", "/code": "text/plain", "/font": "font/woff2"}
		texts := map[string]string{"/image": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`, "/events": "data: x\n\n",
			"/code": "indexedDB.open('a').onsuccess = say"}
		if kind := kinds[r.URL.Path]; kind != "" {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, texts[r.URL.Path])
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/way/")
		code := strings.NewReplacer("PIXEL", "'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='",
			"SOCKET", "'ws://' + location.host + '/none'").Replace(lateWays[name])
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, latePage(name, code))
	}))
	t.Cleanup(site.Close)
	call := pipetest.OverMCP(p)
	for name := range lateWays {
		told, got := false, ""
		for n := 0; !told && n < 5; n++ { // on a busy machine what comes late comes later
			p.Call("nav", []string{site.URL + "/way/" + strings.ReplaceAll(name, " ", "%20")})
			told = true
			for clicks := 0; told && clicks < 2 && !(once[name] && clicks == 1); clicks++ { // the driver's, and one of ours
				got = call("click", pipetest.Object{"sel": "#go", "timeout": 60})
				told = isTold(name, got)
			}
		}
		if !told {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// once are ways that go on only once in a document.
var once = map[string]bool{"worker": true, "in view": true, "change": true, "scroll": true, "scroll end": true, "within a shadow": true,
	"size": true, "CSS animation": true, "selection": true, "history": true, "history alone": true, "popover": true, "drawn shape": true}
