package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// coveredPage has inputs covered by a part of their own label or component, as
// in component libraries.
const coveredPage = `<style>
.c { position: relative; display: inline-block; width: 200px; height: 20px }
.c input, .c .box { position: absolute; left: 0; top: 0; width: 20px; height: 20px; margin: 0 }
.c .box { background: #ccc } .c .text { padding-left: 30px }
</style>
<label class=c><input type=checkbox id=agree><span class=box></span><span class=text>I agree</span></label>
<div class=c><input type=checkbox id=part><span class="box drawn"></span></div>
<x-check>Send me news</x-check>
<div style="position:relative"><button id=go>Go</button><iframe id=over style="position:absolute;left:0;top:0;border:0;background:#eee"></iframe></div>
<button id=moving style="position:relative">Moving</button>
<script>
customElements.define('x-check', class extends HTMLElement {
	constructor() {
		super().attachShadow({mode: 'open'}).innerHTML = '<style>label{position:relative}input,.box{position:absolute;left:0;width:20px;height:20px;margin:0}.box{background:#ccc}slot{padding-left:30px}</style>' +
			'<label><input type=checkbox class=inner><span class=box></span> <slot></slot></label>';
	}
});
let x = 0;
(function step() { moving.style.left = (x += 3) % 100 + 'px'; requestAnimationFrame(step) })(); // no two frames agree
</script>`

// TestWhatInterceptsIsNamed: errors name the intercepting element as
// Playwright's do, for tools and for scripts.
func TestWhatInterceptsIsNamed(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTranscripts of cmd/pwpipe is quick")
	t.Parallel()
	p := pipetest.SharedOn(t, pipetest.ServePages(t, map[string]string{"/": coveredPage}))
	short := func(sel string) pipetest.Object { return pipetest.Object{"sel": sel, "timeout": 0.6} }
	pipetest.Steps(p,
		does("check", list("#agree"), "null"),
		does("checked", list("#agree"), "true"),
		does("check", short("#part"), `!<span class="box drawn"></span> intercepts pointer events`),
		does("check", list("x-check .inner"), "null"),
		does("checked", list("x-check .inner"), "true"),
		does("click", short("#go"), `!"#go" is covered: <iframe id="over"></iframe> intercepts pointer events`),
		does("click", short("#moving"), `!"#moving" is not stable after 0.6 s`),
		does("execute", pipetest.Object{"code": "await page.check('#part', {timeout: 700})"}, `!<span class="box drawn"></span> intercepts pointer events (line 1`),
		does("execute", pipetest.Object{"code": "await page.locator('#moving').click({timeout: 1500})"}, "!#moving is not stable (line 1"),
	)
	// Text typed into a field that takes none stays out of the log.
	p.Call("eval", list("go.outerHTML = '<input id=go readonly>'; 1"))
	p.Complains("read-only", "fill", pipetest.Object{"sel": "#go", "val": "hunter2"}, "timeout", 1)
	pipetest.Lacks(t, p.Fail("fill", pipetest.Object{"sel": "#go", "val": "hunter2"}, "timeout", 1), "hunter2")
}
