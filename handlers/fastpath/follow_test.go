package fastpath_test

import (
	"slices"
	"strings"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

// TestFollow: an act is over where the page is done with it, and not where something that it
// began may still change the page. What an act of a page that is done has drawn is there.
func TestFollow(t *testing.T) {
	s := start(t)
	const page = `<button id=a>a</button><p id=o></p><a id=l href="/none">l</a><form id=f action="/none"></form>
<script>var said = (text) => { o.textContent = text }, WS = 'ws://' + new URL('SITE').host + '/ws'
a.addEventListener('click', act); ACT</script>`
	for _, tc := range []struct {
		name, act string
		over      bool
	}{
		{"nothing", "function act() {}", true},
		{"at once", "function act() { said('x') }", true},
		{"promise", "async function act() { await null; said('x') }", true},
		{"message", "const c = new MessageChannel(); c.port1.onmessage = () => said('x'); function act() { c.port2.postMessage(0) }",
			true},
		{"observer", "new ResizeObserver(() => o.title || said('x')).observe(a); function act() { o.title = ''; a.style.width = '99px' }",
			true},
		{"address", "function act() { said('x'); history.pushState(0, '', '#x') }", true},
		{"below the fold", "a.style.marginTop = '3000px'; function act() { said('x'); scrollTo(0, 0) }", true},
		{"timer below the fold", "a.style.marginTop = '3000px'; function act() { setTimeout(() => said('x'), 80) }", false},
		{"timer", "function act() { setTimeout(() => said('x'), 80) }", false},
		{"frame", "function act() { requestAnimationFrame(() => requestAnimationFrame(() => said('x'))) }", false},
		{"timer of a promise", "async function act() { await null; setTimeout(() => said('x'), 80) }", false},
		{"request", "function act() { fetch('/none').then(() => said('x')) }", false},
		{"web socket", "const w = new WebSocket(WS); function act() { w.send('x') }", false},
		{"worker", "const w = new Worker('data:text/javascript,'); function act() { w.postMessage(0) }", false},
		{"navigation", "function act() { location.href = '/none' }", false},
		{"link", "function act() { l.click() }", false},
		{"form", "function act() { f.submit() }", false},
		{"window", "function act() { open('about:blank') }", false},
		{"frame of a document", "function act() { document.body.append(document.createElement('iframe')) }", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			site := pipetest.Site(t)
			text := strings.NewReplacer("SITE", site, "ACT", tc.act).Replace(page)
			s.call("nav", pipetest.ServePages(t, map[string]string{"/": text}))
			p := s.page()
			var got []bool
			for range 3 {
				over := fastpath.Follow(s.ctx, p)
				s.call("click", "#a")
				got = append(got, over())
				if tc.over && strings.Contains(tc.act, "said(") && s.call("eval", "o.textContent") != `"x"` {
					t.Errorf("the page has not drawn it")
				}
				if tc.name == "navigation" || tc.name == "link" || tc.name == "form" {
					break
				}
			}
			// The driver makes the first click, and awaits frames meanwhile.
			if tc.over != slices.Contains(got, true) {
				t.Errorf("over: %v", got)
			}
		})
	}
}
