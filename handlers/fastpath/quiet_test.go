//go:build evidence

package fastpath_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// begin is what each page has: the element #b, one to start with, and the clicks that came.
const begin = `<style>body { margin: 0; min-height: 900px } button { display: block; margin: 20px; width: 120px; height: 30px } #a { position: fixed; right: 0; top: 0; z-index: 9; margin: 0 }
@keyframes slide { to { margin-left: 500px } } @keyframes turn { to { transform: translateX(400px) } } @keyframes fade { from { opacity: 0 } }
@keyframes grow { to { height: 200px } } @keyframes colour { to { color: red } } </style>
<script>var hits = [], on = (f) => addEventListener('click', (e) => e.target.id === 'a' && f()), later = (f) => setTimeout(f, 60),
b = () => document.getElementById('b'), each = (f) => requestAnimationFrame(function go(t) { if (f(t) !== false) requestAnimationFrame(go) }),
steps = (n, f) => each(() => n-- > 0 && void f(n)), frames = 0;
addEventListener('click', (e) => hits.push(e.target.id))</script><button id=a>a</button>`

const target = `<button id=b>b</button>`

// standing are pages in which nothing that may move #b happens; the click waits for no frame.
var standing = map[string]string{
	"plain": target, "text": target + `<script>on(() => o.textContent = 'said')</script><p id=o>`,
	"same":     target + `<script>on(() => o.className = 'x')</script><p id=o>`,
	"child":    target + `<script>on(() => o.append('x'))</script><p id=o>`,
	"long ago": target + `<script>later(() => o.textContent = 'x')</script><p id=o>`,
	"paused":   `<div style="animation: slide 1s infinite paused">` + target + `</div>`,
	"ended":    `<div style="animation: fade 1ms">` + target + `</div>`, "filled": `<div style="animation: fade 1ms forwards">` + target + `</div>`,
	"transform": `<div style="transform: translate(50px, 20px)">` + target + `</div>`, "scaled": `<div style="transform: scale(.8)">` + target + `</div>`,
	"fixed": `<div style="position: fixed; top: 90px">` + target + `</div>`, "sticky": `<div style="position: sticky; top: 0">` + target + `</div>`,
	"idle transition": `<div style="transition: margin 1s">` + target + `</div>`, "shadow": `<div id=h></div>` + target + `<script>h.attachShadow({ mode: 'open' }).innerHTML = '<i>x</i>'</script>`,
	"frame": target + `<iframe srcdoc="<b>x"></iframe>`, "image": target + `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>">`,
	"nested": `<div><div><div>` + target + `</div></div></div>`, "flex": `<div style="display: flex">` + target + `</div>`, "grid": `<div style="display: grid">` + target + `</div>`,
	"table": `<table><tr><td>` + target + `</table>`, "form": `<form onsubmit="return false">` + target + `</form>`, "opaque": `<div style="opacity: .5">` + target + `</div>`,
	"canvas": target + `<canvas></canvas>`, "hostile": target + `<script>MutationObserver = performance.now = Document.prototype.getAnimations = undefined</script>`,
}

// moving are pages that move, or may be about to: #b, or something else. The click waits for two
// frames at least. A timer moves #b by less than half of its size. Otherwise #b may leave between
// press and release, and the click misses it by chance, on either way.
var moving = map[string]string{
	"slides": `<div style="animation: slide 300ms">` + target + `</div>`, "slides for ever": `<div style="animation: slide 1s infinite alternate">` + target + `</div>`,
	"turns": `<div style="animation: turn 300ms">` + target + `</div>`, "turns for ever": `<div style="animation: turn 1s infinite alternate">` + target + `</div>`,
	"ancestor": `<div style="animation: turn 1s infinite"><div><p>` + target + `</div></div>`, "fades": `<div style="animation: fade 1s">` + target + `</div>`,
	"itself": `<style>#b { animation: turn 1s infinite }</style>` + target, "subtree": `<button id=b><i style="animation: colour 1s infinite">b</i></button>`,
	"grows above": `<div style="animation: grow 300ms infinite"></div>` + target, "elsewhere": target + `<i style="animation: colour 1s infinite">x</i>`,
	"transition":           `<div id=o style="transition: margin-left 200ms">` + target + `</div><script>on(() => o.style.marginLeft = '200px')</script>`,
	"transform transition": `<div id=o style="transition: transform 200ms">` + target + `</div><script>on(() => o.style.transform = 'translateX(200px)')</script>`,
	"transition of top":    `<div id=o style="position: relative; top: 0; transition: top 200ms">` + target + `</div><script>on(() => o.style.top = '90px')</script>`,
	"delayed":              `<div id=o style="transition: margin-left 50ms 100ms">` + target + `</div><script>on(() => o.style.marginLeft = '200px')</script>`,
	"web animation":        `<div id=o>` + target + `</div><script>on(() => o.animate([{}, { transform: 'translateX(200px)' }], 200))</script>`,
	"shadow animation":     `<div id=h>` + target + `</div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<style>@keyframes s { to { margin-left: 300px } } div { animation: s 300ms infinite }</style><div><slot></slot></div>'</script>`,
	"game":                 `<div id=o>` + target + `</div><script>each(() => { o.style.marginLeft = frames++ % 50 + 'px' })</script>`,
	"game of a canvas":     target + `<canvas id=c></canvas><script>each(() => { c.getContext('2d').fillRect(0, 0, frames++ % 50, 9) })</script>`,
	"game of rules":        `<style id=s>#o { margin-left: 0 }</style><div id=o>` + target + `</div><script>each(() => { s.sheet.cssRules[0].style.marginLeft = frames++ % 50 + 'px' })</script>`,
	"game for a while":     `<div id=o>` + target + `</div><script>on(() => steps(9, (n) => { o.style.marginLeft = n + 'px' }))</script>`,
	"a frame is due":       `<div id=o>` + target + `</div><script>on(() => steps(9, (n) => { o.style.transform = 'translateX(' + n + 'px)' }))</script>`,
	"shadow game":          `<div id=h></div>` + target + `<script>const r = h.attachShadow({ mode: 'open' }); r.innerHTML = '<p>x'; each(() => { r.firstChild.style.height = frames++ % 50 + 'px' })</script>`,
	"closed game":          `<div id=h></div>` + target + `<script>const r = h.attachShadow({ mode: 'closed' }); r.innerHTML = '<p>x'; each(() => { r.firstChild.style.height = frames++ % 50 + 'px' })</script>`,
	"interval":             `<div id=o>` + target + `</div><script>setInterval(() => { o.style.marginLeft = frames++ % 50 + 'px' }, 8)</script>`,
	"class":                `<style>.x { margin-left: 30px }</style><div id=o>` + target + `</div><script>setInterval(() => o.classList.toggle('x'), 8)</script>`,
	"text above":           `<p id=o>x</p>` + target + `<script>setInterval(() => { o.textContent += ' x' }, 8)</script>`,
	"children above":       `<div id=o style="font-size: 2px"></div>` + target + `<script>setInterval(() => o.children.length < 3 ? o.append(document.createElement('p')) : o.replaceChildren(), 8)</script>`,
	"scrolls":              target + `<p style="height: 3000px"><script>each(() => { scrollTo(0, frames++ % 9) })</script>`,
	"scrolls itself":       `<div id=o style="height: 100px; overflow: auto">` + target + `<p style="height: 900px"></div><script>setInterval(() => { o.scrollTop = frames++ % 9 }, 8)</script>`,
	"sticky that scrolls":  `<div style="position: sticky; top: 0">` + target + `</div><p style="height: 3000px"><script>setInterval(() => { scrollTo(0, frames++ % 9) }, 8)</script>`,
	"lazy":                 target + `<script>setInterval(() => { document.body.append(document.createElement('hr')) }, 8)</script>`,
	"images":               target + `<script>setInterval(() => { const i = new Image(); i.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'; document.body.append(i); i.onload = () => i.remove() }, 8)</script>`,
	"marquee":              `<marquee scrollamount=20>` + target + `</marquee>`, "svg": target + `<svg><rect width=9 height=9><animate attributeName=x to=50 dur=1s repeatCount=indefinite /></rect></svg>`,
	"hostile game": `<div id=o>` + target + `</div><script>const raf = requestAnimationFrame.bind(window); MutationObserver = Document.prototype.getAnimations = requestAnimationFrame = undefined;
raf(function go() { o.style.marginLeft = frames++ % 50 + 'px'; raf(go) })</script>`,
}

// clickIn loads a page, starts it with a click on #a, and clicks #b. It returns what was hit, and
// whether that failed.
func (s *session) clickIn(ctx context.Context, url string, within time.Duration) string {
	s.Helper()
	s.call("nav", url)
	s.call("txt", "#a") // from here on the document is watched
	s.call("eval", "new Promise(f => setTimeout(f, 150))")
	s.call("click", "#a")
	s.call("eval", "new Promise(f => setTimeout(f, 60))")
	came := "done"
	if _, err := s.table.Call(ctx, provider.Request{Tool: "click", Params: encode([]string{"#b"}), Timeout: within}); err != nil {
		came = "failed"
	}
	return came + " " + s.call("eval", "hits.join()")
}

// TestQuietAfterAct: a click soon after a click or a fill of ours awaits two frames if the page
// may go on with that act, as when its server or a worker answers.
func TestQuietAfterAct(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline of handlers/agent is quick")
	s := start(t)
	page := begin + target + `<input id=f><script>var at = [], WS = 'ws://' + new URL('SITE').host + '/ws'
for (const kind of ['click', 'input']) addEventListener(kind, (e) => { at.push(performance.now()); if (e.target.id !== 'b') act(e) })
ACT</script>`
	for _, tc := range []struct {
		name, act string
		goesOn    bool
	}{
		{"no answer", "function act(e) { if (e.type === 'click') document.title = 'x' }", false},
		{"request", "function act() { fetch('/none') }", true},
		{"timer", "function act() { setTimeout(() => {}, 10) }", true},
		{"picture", "function act() { new Image().src = '/none' }", true},
		{"web socket", "const w = new WebSocket(WS); function act() { w.send('x') }", true},
		{"new worker", "function act() { new Worker('data:text/javascript,postMessage(0)') }", true},
		{"new worker of a text", "function act() { new Worker(URL.createObjectURL(new Blob(['postMessage(0)']))) }", true},
		{"worker", "const w = new Worker('data:text/javascript,'); function act() { w.postMessage(0) }", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.NewReplacer("SITE", pipetest.Site(t), "ACT", tc.act).Replace(page)
			site := pipetest.ServePages(t, map[string]string{"/": text})
			s.call("nav", site)
			p := s.page()
			running := strings.Count(tc.act, "const w = new Worker")
			pipetest.Eventually(t, "the driver has reported the worker", func() bool { return int(p.Workers.Load()) == running })
			s.call("click", "#a")     // the driver makes the first click,
			s.call("fill", "#f", "a") // and the first fill
			soon, quick := 0, 0
			for range 5 {
				for _, act := range [][]any{{"click", "#a"}, {"fill", "#f", "x"}} {
					s.call("eval", "at = []; new Promise(f => setTimeout(f, 60))")
					s.call(act[0].(string), act[1:]...)
					before := fastpath.Counts(p).Quiet
					s.call("click", "#b")
					if s.call("eval", "at.length === 2 && at[1] - at[0] < 35") != "true" {
						continue
					}
					soon++
					if fastpath.Counts(p).Quiet != before {
						quick++
					}
				}
			}
			if tc.goesOn && quick > 0 || !tc.goesOn && quick == 0 && soon > 0 {
				t.Errorf("%d of %d soon clicks awaited no frame", quick, soon)
			}
		})
	}
}

// TestQuietClicks clicks in pages that stand still and in pages that move, on the fast path and
// by the driver. The same is hit, or both fail. In a page that moves two frames are awaited.
func TestQuietClicks(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothWays is quick")
	s := start(t)
	pages := map[string]string{"/": begin}
	number := map[string]string{}
	for _, list := range []map[string]string{standing, moving} {
		for name, page := range list {
			number[name] = fmt.Sprintf("/%d", len(pages))
			pages[number[name]] = begin + page
		}
	}
	site := pipetest.ServePages(t, pages)
	s.call("nav", site)
	p := s.page()
	s.call("click", "#a") // the driver makes the first click
	waited := 0
	try := func(name string, within time.Duration) (quiet bool) {
		url := strings.TrimSuffix(site, "/") + number[name]
		for n := 0; ; n++ {
			want := s.clickIn(fastpath.Without(s.ctx), url, within<<n)
			before := fastpath.Counts(p).Quiet
			got := s.clickIn(s.ctx, url, within<<n)
			// On a busy machine one of the two may run out of time: then both are tried again, with
			// twice the time.
			late := got != want && strings.HasPrefix(got, "failed") != strings.HasPrefix(want, "failed")
			if got != want && (!late || n == 3) {
				t.Errorf("%s: %s, by the driver %s", name, got, want)
			}
			if !late || n == 3 {
				return fastpath.Counts(p).Quiet-before == 2
			}
		}
	}
	for name := range standing {
		if !try(name, 10*time.Second) {
			waited++
			t.Logf("%s: waited", name)
		}
	}
	if waited > len(standing)/4 {
		t.Errorf("%d of %d pages that stand still were waited for", waited, len(standing))
	}
	for name := range moving {
		const within = 700 * time.Millisecond // what moves for ever is waited for in vain
		quiet := try(name, within)
		if quiet { // on a busy machine what moves may have ended before the click
			quiet = try(name, within)
		}
		if quiet {
			t.Errorf("%s: not waited for", name)
		}
	}
}
