//go:build evidence

package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// flipping is a page with things to act on, and over each a frame of another origin that is raised and lowered
// all the time, or when the mouse moves.
const flipping = `<!doctype html><title>flips</title><body style="margin:0"><style>
	.w { position: relative; width: 200px; height: 80px } .w > * { position: absolute; inset: 0; width: 200px; height: 80px; border: 0; margin: 0 }
	iframe { opacity: 0.01; z-index: -1 }</style>
	<div class="w"><button id="b">b</button><iframe id="fb" src="%[1]s/frame"></iframe></div>
	<div class="w"><input type="checkbox" id="k"><iframe id="fk" src="%[1]s/frame"></iframe></div>
	<div class="w"><div id="t" ondragover="event.preventDefault()">t</div><iframe id="ft" src="%[1]s/frame"></iframe></div>
	<div class="w"><div id="n" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'n')">n</div></div>
	<script>let got = {};
	const note = (e) => { if (e.isTrusted) got[e.type + ' ' + (e.target.id || e.target.nodeName)] = (got[e.type + ' ' + (e.target.id || e.target.nodeName)] ?? 0) + 1 };
	for (const type of ['mousemove', 'mouseover', 'pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'touchstart', 'touchend', 'change', 'drop']) addEventListener(type, note, true);
	const all = [...document.querySelectorAll('iframe')], to = (z) => all.forEach((f) => f.style.zIndex = z);
	let up = false; const flip = () => to((up = !up) ? 9 : -1);
	const begins = {
		never: () => {},
		frames: () => { const next = () => { flip(); requestAnimationFrame(next) }; next() },
		timer: () => { setInterval(flip, 1) },
		slow: () => { setInterval(flip, 30) },
		pointermove: () => addEventListener('pointermove', () => { to(9); setTimeout(() => to(-1), 10) }, true),
		later: () => addEventListener('pointermove', () => { setTimeout(() => to(9), 1); setTimeout(() => to(-1), 10) }, true),
		stays: () => addEventListener('pointermove', () => { setTimeout(() => to(9), 3) }, true),
	};</script>`

// TestActsBesideFlippingFrames: an act that answers ok has happened in the page, and a frame that flips all the time
// got nothing in its place.
func TestActsBesideFlippingFrames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClicksStayInTheirDocument, which CI runs, is about the same frames")
	t.Parallel()
	site, _ := twoOrigins(t, hearing, func(_, other string) string { return fmt.Sprintf(flipping, other) })
	p := pipetest.Shared(t)
	touch := p.Text("new-page", []any{p.Text("open-ctx", pipetest.Object{"touch": true})})
	drag := func(from string) pipetest.Object {
		return pipetest.Object{"code": "await page.dragAndDrop('" + from + "', '#t', {timeout: 4000})"}
	}
	for _, how := range []string{"never", "timer", "slow", "later", "frames"} {
		for _, act := range []struct {
			tool   string
			params any
			want   string // what the page hears
		}{
			{"hover", []any{"#b"}, "mouseover b"},
			{"execute", pipetest.Object{"code": "await page.hover('#b', {timeout: 4000})"}, "mouseover b"},
			{"tap", []any{"#b"}, "click b"},
			{"touch tap", []any{"#b"}, "click b"},
			{"check", []any{"#k"}, "click k"},
			{"dclick", []any{"#b"}, "dblclick b"},
			{"execute", pipetest.Object{"code": "await page.click('#b', {timeout: 4000, delay: 20})"}, "click b"},
			{"drag", []any{"#n", "#t"}, "drop t"},
			{"execute", drag("#b"), "mouseup t"},
			{"execute", drag("#n"), "drop t"},
		} {
			tool, on := strings.CutPrefix(act.tool, "touch ")
			page := "p1"
			if on {
				page = touch
			}
			p.Call("use-page", []any{page})
			for range 2 {
				p.Call("nav", []any{site + "/"})
				p.Call("mouse-move", []any{600, 500})
				p.Call("eval", []any{fmt.Sprintf("got = {}, begins[%q](), 1", how)})
				most := 10
				if how == "never" {
					most = 60
				}
				answer := p.Try(tool, act.params, "timeout", most).Error
				got := p.Text("eval", []any{"JSON.stringify(got)"})
				for _, frame := range []string{"#fb", "#fk", "#ft"} {
					if heard := heardIn(p, frame); heard != "" && answer == "" {
						t.Errorf("%s %v, %s: answered ok, and the frame %s heard %s; the page heard %s", act.tool, act.params, how, frame, heard, got)
					}
				}
				done := strings.Contains(got, act.want) || how != "never" && act.want == "drop t" && strings.Contains(got, "mouseup t") // the browser began no drag of its own
				if answer == "" && !done || answer != "" && how == "never" {
					t.Errorf("%s %v, %s: answer %q, the page heard %s", act.tool, act.params, how, answer, got)
				}
				if how == "never" {
					break
				}
			}
		}
	}
}
