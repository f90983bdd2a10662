//go:build evidence

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// An editor that draws its lines beside a field says them as that field's, in the order of the lines, also
// when only a line has changed.
func TestDrawnLines(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestEditedInPlace is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<div class=monaco-editor style="position:relative;height:60px"><div role=textbox aria-label="Log book" tabindex=0 style="height:10px"></div>
<div aria-hidden=true><div class=view-line style="position:absolute;top:30px">rain</div><div class=view-line id=first style="position:absolute;top:10px">gale</div></div></div>`)
	pipetest.Has(t, p.Text("snapshot", nil), `textbox "Log book" [ref=`, "]: gale rain")
	p.Call("eval", []string{"first.textContent = 'calm', 1"})
	pipetest.Has(t, p.Text("snapshot", nil), "]: calm rain")
}

// A page beyond the budget, which is a flag or a parameter, is shortened and says how to get the
// rest. A list of twelve is shown whole, whatever the budget.
func TestBudgetOfAPage(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := startAgent(t, "/", "--outline-tokens", "200")
	var items strings.Builder
	for i := range 12 {
		fmt.Fprintf(&items, "<li>Lamp %d of the long list of lamps in the shop <button>Add</button></li>", i)
	}
	show(p, "<ul>"+items.String()+"</ul>")
	if got := p.Text("snapshot", nil); strings.Count(got, "of lamps in the shop") != 12 || strings.Contains(got, "more like it") {
		t.Errorf("a list of twelve is shortened:\n%s", got)
	}
	show(p, "<ul>"+items.String()+"<li>Lamp 12 <button>Add</button></li></ul>")
	pipetest.Has(t, p.Text("snapshot", nil), "(and 12 more like it) [refs: e", "(shortened: search finds every line; snapshot with selector, or a larger budget, shows more)")
	pipetest.Lacks(t, p.Text("snapshot", pipetest.Object{"budget": 5000}), "more like it", "shortened")
}

func TestNothingToSee(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	p.Call("nav", []string{"about:blank"})
	pipetest.Has(t, p.Text("snapshot", nil), "nothing to see: the page is blank")
	show(p, `<div hidden>x</div>`)
	pipetest.Has(t, p.Text("snapshot", nil), "nothing to see: none of the 1 elements")
	for path, body := range map[string]string{
		"**/broken": "<script>throw new Error('no app today')</script>",
		"**/late":   "<i></i><script>fetch('/slow?ms=30000')</script>",
		"**/canvas": "<canvas width=300 height=100></canvas>",
	} {
		p.Call("route", []any{path, pipetest.Object{"contentType": "text/html", "body": body}})
	}
	p.Call("nav", []string{"/canvas"})
	pipetest.Has(t, p.Text("snapshot", nil), "canvas [ref=", "(300x100 at")
	p.Call("nav", []string{"/broken"})
	pipetest.Has(t, p.Text("snapshot", nil), "nothing to see: the document is empty; an error of the page: no app today")
	p.Call("nav", []string{"/late"})
	late := p.Text("snapshot", nil)
	pipetest.Has(t, late, "nothing to see: none of the 2 elements", "a request of the page has no answer yet")
	pipetest.Lacks(t, late, "no app today") // that was another document
}

// A frame whose first words are a text gets labels too, and what is clickable with a role of its own does, a
// video with buttons, and what has a colour instead of a name.
func TestLabelsInFramesAndOnItems(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<ul style="cursor:pointer"><li>Alpha<li>Beta</ul><iframe srcdoc="Words first <button>Inner</button>" width=300 height=100></iframe>
<video controls width=200 height=100></video><i onclick=1 style="background:#f00;width:20px;height:20px;display:inline-block"></i>`)
	p.Call("snapshot", nil)
	outline := p.Text("snapshot", nil)
	got := pipetest.Execute(p, "const r = await showAriaRefLabels({}); await hideAriaRefLabels(); r.labels.map((l) => l.ref).join(' ')")
	pipetest.Has(t, got, ref(t, outline, "Alpha"), ref(t, outline, "Beta"), ref(t, outline, "Inner"), ref(t, outline, "video"), ref(t, outline, "#ff0000"))
}
