package scripts_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDragsOfScripts: dragTo and dragAndDrop move lists that follow pointer events, which begin a drag after some
// moves and draw between two, as they move what takes drag events.
func TestDragsOfScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestDragSortsListsOfPointerEvents of handlers/act, which the night runs, does it by the tool")
	t.Parallel()
	const style = `<style>li, b { display: block; height: 30px; width: 200px; user-select: none; touch-action: none }</style>`
	// A list of this kind takes what is under the pointer in the next frame, and a press that moves once is a click.
	list := func(kind string) string {
		return style + `<ul id=list><li id=a>One<li id=b>Two<li id=c>Three<li id=d>Four</ul><script>
let held, moves = 0; const items = () => [...list.children];
list.on` + kind + `down = (e) => { held = e.target.closest('li'); moves = 0; e.preventDefault() };
addEventListener('` + kind + `move', (e) => {
  if (!held || ++moves < 2) return;
  const at = document.elementFromPoint(e.clientX, e.clientY)?.closest('li');
  if (at && at !== held) requestAnimationFrame(() => held && (items().indexOf(at) > items().indexOf(held) ? at.after(held) : at.before(held)));
});
addEventListener('` + kind + `up', () => { held = null; document.title = items().map((e) => e.textContent.trim()) });</script>`
	}
	site := pipetest.ServePages(t, map[string]string{
		"/pointer": list("pointer"),
		"/mouse":   list("mouse"),
		"/columns": style + `<ul id=from><li id=a>Card</ul><ul id=c><li>Other</ul><script>let held, begun, x;
document.onpointerdown = (e) => { held = e.target.closest('#a'); x = e.clientY; e.preventDefault() };
document.onpointermove = (e) => { begun ||= held && Math.abs(e.clientY - x) > 4 && Math.abs(e.clientY - x) < 20;
  document.title = begun ? 'over ' + e.target.closest('ul')?.id : '' };
document.onpointerup = (e) => { if (begun && document.title === 'over c') c.append(held), document.title = c.textContent.replace(/\s+/g, ' ').trim() };</script>`,
		"/native": style + `<b id=a draggable=true>Card</b><b id=c>Bin</b><script>a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'it');
c.ondragover = (e) => e.preventDefault(); c.ondrop = (e) => { e.preventDefault(); document.title = 'dropped ' + e.dataTransfer.getData('text/plain') };</script>`,
		"/hold": style + `<b id=a>Knob</b><p style="height:200px"></p><b id=c>End</b><script>let n = 0, held;
a.onpointerdown = (e) => { held = true; a.setPointerCapture(e.pointerId) };
a.onpointermove = () => { if (held) n++ }; a.onpointerup = () => { document.title = n > 8 ? 'slid' : 'jumped' };</script>`,
	})
	p := pipetest.Shared(t, "--timeout=60") // a drag of a busy browser takes its time
	for path, want := range map[string]string{"/pointer": "Two,Three,One,Four", "/mouse": "Two,Three,One,Four",
		"/columns": "OtherCard", "/native": "dropped it", "/hold": "slid"} {
		for _, way := range []string{"page.locator('#a').dragTo(page.locator('#c'))", "page.dragAndDrop('#a', '#c')"} {
			p.Call("nav", []string{site + path})
			if got := pipetest.Execute(p, "await "+way+"; await page.title()"); got != `"`+want+`"` {
				t.Errorf("%s, %s: %s", path, way, got)
			}
		}
	}
	p.Call("nav", []string{site + "/hold"})
	if got := pipetest.Execute(p, "await page.locator('#a').dragTo(page.locator('#c'), {steps: 1}); await page.title()"); got != `"jumped"` {
		t.Errorf("with steps of its own: %s", got)
	}
}

// TestDragsWithoutTarget: a drag that can't end says which target was not there or covered, and lets the button go. It
// does not wait long for a page at rest.
func TestDragsWithoutTarget(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<style>body{margin:0}b,i{display:block;width:100px;height:40px}</style><b id=a>Card</b><b id=n draggable=true>It</b>
<div style="position:relative"><i id=v>v</i><div id=over style="position:absolute;inset:0">over</div></div>
<script>held = false; onmousedown = () => held = true; onmouseup = ondragend = () => held = false; ondragover = (e) => e.preventDefault(); ondrop = () => held = 'dropped'</script>`})
	p := pipetest.Shared(t, "--profile", "agent")
	for _, one := range []struct{ from, to, why string }{
		{"#a", "#none", "nothing matches #none"},
		{"#n", "#v", `#v is covered: <div id="over">over</div>`}, // by the browser's own drag
	} {
		p.Call("nav", []string{site + "/"})
		pipetest.Has(t, p.Fail("execute", []string{"await page.dragAndDrop('" + one.from + "', '" + one.to + "')"}),
			"nothing has changed on the page for", "; waiting to drop it on locator('"+one.to+"'); the button was let go outside of the page: "+one.why)
		if got := p.Call("eval", []string{"held"}); got != "false" {
			t.Errorf("%s onto %s: the button is down, or it was dropped: %s", one.from, one.to, got)
		}
	}
}
