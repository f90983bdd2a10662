//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// sortPage sorts as dnd-kit does. A drag begins some pixels from the
// pointer-down, positions are measured a frame later, and only moves after that
// count. The long-press list needs a hold, measured by the timestamps of
// events: on a busy machine these are late, not wrong.
const sortPage = `<style>li{height:40px;width:200px;margin:2px;background:#ddd;touch-action:none;user-select:none}ul{padding:0;list-style:none}</style>
<ul id=near><li>a<li>b<li>c<li>d</ul><ul id=press data-delay=1500><li>p<li>q<li>r</ul>
<div style="height:1500px"></div><ul id=far><li>x<li>y</ul>
<script>
for (const ul of document.querySelectorAll('ul')) {
	let held, active, from, rects, over;
	const begin = () => { active = held; requestAnimationFrame(() => { rects = [...ul.children].map(e => e.getBoundingClientRect()) }) };
	const end = (e) => {
		removeEventListener('pointermove', move); removeEventListener('pointerup', end);
		if (active && over !== undefined) { const rest = [...ul.children].filter(e => e !== active); rest.splice(over, 0, active); ul.replaceChildren(...rest) }
		held = active = rects = over = undefined;
	};
	const move = (e) => {
		if (!active) {
			if (Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < 8) return;
			if (e.timeStamp - from.timeStamp < +(ul.dataset.delay || 0)) return end(); // moved too soon
			return begin();
		}
		if (!rects) return;
		over = rects.map((r, i) => [Math.abs(r.top + r.height / 2 - e.clientY), i]).sort((a, b) => a[0] - b[0])[0][1];
	};
	ul.addEventListener('pointerdown', (e) => {
		held = e.target.closest('li'); from = e;
		addEventListener('pointermove', move); addEventListener('pointerup', end);
	});
}
</script>`

func TestDragSortsListsOfPointerEvents(t *testing.T) {
	pipetest.Nightly(t, "it drags step by step")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": sortPage})
	order := func(id string) string { return "[..." + id + ".children].map(e => e.textContent).join('')" }
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("drag", list("#near li:has-text('a')", "#near li:has-text('c')"), "null"),
		does("eval", list(order("near")), `"bcad"`),
		does("drag", pipetest.Object{"from": "#near li:has-text('d')", "to": "#near li:has-text('b')", "steps": 5}, "null"),
		does("eval", list(order("near")), `"dbca"`),
		does("drag", list("#press li >> nth=0", "#press li >> nth=2"), "null"),
		does("eval", list(order("press")), `"pqr"`),
		does("drag", pipetest.Object{"from": "#press li >> nth=0", "to": "#press li >> nth=2", "hold": 1600}, "null"),
		does("eval", list(order("press")), `"qrp"`),
		does("drag", list("#far li >> nth=0", "#far li >> nth=1"), "null"),
		does("eval", list(order("far")), `"yx"`),
		does("drag", pipetest.Object{"from": "#near li", "to": "#none", "timeout": 0.5}, `!nothing matches "#none"`),
		does("drag", pipetest.Object{"from": "#near li", "to": "#far", "steps": 0}, "!steps: expected a number from 1"),
	)
}
