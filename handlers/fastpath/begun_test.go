package fastpath_test

import (
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

// TestActsThatAreOver: an act is over at once where the page has asked for nothing that it could go
// on with, whether the driver acts or we.
func TestActsThatAreOver(t *testing.T) {
	pipetest.InCI(t, "it is about a race, and TestActsAnswerTheOutline of handlers/agent is quick")
	s := start(t)
	page := `<title>Over</title><button id=a>a</button><form id=g onsubmit="return false"><button id=b type=button>b</button></form><input id=f><p style="height: 3000px">
<script>const WS = 'ws://' + new URL('SITE').host + '/ws', say = () => { document.title += 'x' };
addEventListener('click', act); addEventListener('input', act); ACT</script>`
	for name, tc := range map[string]struct {
		act  string
		over bool
	}{
		"nothing":       {"function act() {}", true},
		"at once":       {"function act() { say() }", true},
		"promise":       {"function act() { Promise.resolve().then(say) }", true},
		"a frame":       {"function act() { requestAnimationFrame(say) }", true},
		"frames":        {"const f = () => requestAnimationFrame(f); function act() { f() }", false},
		"timer":         {"function act() { setTimeout(say, 60) }", false},
		"interval":      {"function act() { setInterval(say, 1e6) }", false},
		"stopped timer": {"function act() { clearTimeout(setTimeout(say, 60)) }", false},
		"request":       {"function act() { fetch('/none').then(say) }", false},
		"web socket":    {"const w = new WebSocket(WS); function act() { w.send('x') }", false},
		"worker":        {"const w = new Worker('data:text/javascript,'); function act() { w.postMessage(0) }", false},
		"animation":     {"function act() { document.body.animate({opacity: [0, 1]}, 60_000) }", false},
		"hostile": {`const later = setTimeout; window.setTimeout = requestAnimationFrame = performance.now = undefined; Document.prototype.getAnimations = undefined
function act() { later(say, 60) }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("SITE", pipetest.Site(t), "ACT", tc.act).Replace(page)
			s.call("nav", pipetest.ServePages(t, map[string]string{"/": text}))
			p := s.page()
			pipetest.Eventually(t, "the driver has reported the worker", func() bool { return int(p.Workers.Load()) == strings.Count(tc.act, "new Worker") })
			// The driver makes the first click and the first fill, we the next ones.
			for _, act := range [][]any{{"click", "#a"}, {"fill", "#f", "x"}, {"click", "#a"}, {"fill", "#f", "y"}} {
				over := false
				for n := 0; !over && (n == 0 || tc.over && n < 5); n++ { // on a busy machine frames may come too late
					begun := fastpath.Begin(t.Context(), p)
					if begun == nil {
						t.Fatal("its begin was not noted")
					}
					s.call(act[0].(string), act[1:]...)
					_, over = begun.Over(t.Context())
				}
				if over != tc.over {
					t.Errorf("%s is over: %v", act[0], over)
				}
			}
		})
	}
	t.Run("links and forms", func(t *testing.T) {
		s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<a id=a href="#x">a</a><form onsubmit="return false"><button id=b>b</button></form>`}))
		for _, sel := range []string{"#a", "#b"} {
			begun := fastpath.Begin(t.Context(), s.page())
			s.call("click", sel)
			if _, over := begun.Over(t.Context()); over {
				t.Errorf("a click on %s is over", sel)
			}
		}
	})
}

// TestPagesThatHaveCome: a page that an act leads to is over at once where its document has no
// scripts, and soon where its scripts have asked for nothing.
func TestPagesThatHaveCome(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsAnswerTheOutline of handlers/agent is quick")
	s := start(t)
	const later, soon, now = -1, 30 * time.Millisecond, time.Duration(0)
	script := func(text string) string {
		return "<p id=p>p</p><script>const say = () => { p.textContent += 'x' }; " + text + "</script>"
	}
	site := pipetest.Site(t)
	for name, tc := range map[string]struct {
		page string
		calm time.Duration
	}{
		"no scripts":   {`<h1>Title</h1><style>p { color: red }</style><img src="/logo.svg">`, now},
		"script":       {script("say()"), soon},
		"promise":      {script("Promise.resolve().then(say)"), soon},
		"a frame":      {script("requestAnimationFrame(say)"), soon},
		"in view":      {script("new IntersectionObserver(say).observe(p)"), soon},
		"task":         {script("const c = new MessageChannel(); c.port1.onmessage = say; c.port2.postMessage(1)"), soon},
		"frames":       {script("const f = () => requestAnimationFrame(f); f()"), later},
		"timer":        {script("setTimeout(say, 60)"), later},
		"past timer":   {script("setTimeout(say)"), later},
		"onload":       {script("addEventListener('load', () => setTimeout(say, 60))"), later},
		"request":      {script("fetch('/').then(say)"), later},
		"after load":   {script("addEventListener('load', () => { document.body.append(Object.assign(new Image(), {src: '/x.svg', onerror: say})) })"), soon},
		"stream":       {script("new EventSource('/none')"), later},
		"web socket":   {script("new WebSocket('ws://" + strings.TrimPrefix(site, "http://") + "/ws')"), later},
		"worker":       {script("new Worker('data:text/javascript,')"), later},
		"animation":    {`<style>@keyframes a { to { opacity: 0 } } p { animation: a 2s }</style><p>p</p>`, later},
		"refresh":      {`<meta http-equiv=refresh content="1"><p>p</p>`, later},
		"frame within": {`<iframe src="about:blank"></iframe>`, later},
		"hostile":      {script("const t = setTimeout; window.setTimeout = document.getAnimations = undefined; t(say, 60)"), later},
	} {
		t.Run(name, func(t *testing.T) {
			soonest := time.Duration(later)
			for n := 0; soonest == later && (n == 0 || tc.calm != later && n < 5); n++ { // on a busy machine a page may come slowly
				s.call("nav", site)
				begun := fastpath.Begin(t.Context(), s.page())
				if begun == nil {
					t.Fatal("its begin was not noted")
				}
				s.call("nav", pipetest.ServePages(t, map[string]string{"/": "<!doctype html>" + tc.page}))
				soonest = calmOf(begun.Over(t.Context()))
				if again := calmOf(begun.Over(t.Context())); again != tc.calm && again != later {
					t.Errorf("over in %v, and then in %v", soonest, again)
				}
			}
			if soonest != tc.calm {
				t.Errorf("over in %v", soonest)
			}
		})
	}
}

// calmOf is what Over answers, -1 for a page that is not over.
func calmOf(calm time.Duration, over bool) time.Duration {
	if !over {
		return -1
	}
	return calm
}
