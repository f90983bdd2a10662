package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A field without a name says the text that stands beside it on its line, before or behind it. A text that may belong
// to two fields stays by itself, and what a label says is no part of the texts around it.
func TestCaptionsBesideFields(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	outlinesOf(t, p, []pageCase{
		{name: "behind, and before", html: `<input id=k> Keel<br><input> Mast<br>Sail <input><div><span>Crew: </span><input></div>`,
			has: []string{`] (#k) in "Keel"`, `] in "Mast"`, `] in "Sail"`, `] in "Crew"`}, lacks: []string{"- \""}},
		{name: "boxes to tick, with labels of none", html: `<p>Catch: <input type=radio> Cod <input type=radio checked> Eel</p><div><input type=checkbox><label>Net</label><input type=checkbox><label>Rod</label></div>`,
			has: []string{"- \"Catch:\"\n- radio [ref=", `radio [checked] [ref=`, `in "Cod"`, `in "Eel"`, `in "Net"`, `in "Rod"`}, lacks: []string{`- "Cod"`, `- "Rod"`}},
		{name: "items", html: `<ul><li><input type=checkbox> Bait <button>x</button><li><input type=checkbox> Line <button>x</button></ul>`, has: []string{`in "Bait"` + "\n  - button", `in "Line"`}},
		{name: "parts that are laid out", html: `<div style="display:flex"><div>Knots</div><div><input></div></div><div style="display:grid;grid-template-columns:9em 9em"><b>Port</b><input><b>Bow</b><input></div>`,
			has: []string{`in "Knots"`, `in "Port"`, `in "Bow"`}, lacks: []string{"- \""}},
		{name: "two lines beside one", html: `<div style="display:flex"><div><div>Night mode</div><small>Dims the lamps</small></div><div><input type=checkbox role=switch></div></div><div style="display:flex"><input type=checkbox><div>Chart<br>of the bay</div></div>`,
			has: []string{"Night mode Dims the lamps", "of the bay"}, lacks: []string{`in "`}},
		{name: "drawn boxes", html: `<div style="position:relative"><input type=checkbox style="position:absolute;opacity:0"><i></i><span>Anchor</span></div>`, has: []string{`in "Anchor"`}},
		{name: "of two, of none", html: `<p>Width <input> m <input> m</p><p>Depth <input> m</p><p><input><br>Far below</p><p><input> / <input></p><p><input aria-label=Hull> or <input></p>`,
			has: []string{`- "Width"`, `- "m"`, `- "Depth"`, `- "Far below"`, `- "or"`}, lacks: []string{`in "`}},
		{name: "labels in a paragraph", html: `<p>Fish of the day: <label><input type=checkbox> Hake</label> <label><input type=checkbox> Ling</label> and more</p><div>Tide<br><label><input type=checkbox> Ebb</label><br><label><input type=checkbox> Flood</label><br>All times are local<br><input type=checkbox id=s><label for=s>Slack</label> water <input></div>`,
			has:   []string{"- \"Fish of the day:\"\n- checkbox \"Hake\"", "- \"and more\"\n- \"Tide\"\n- checkbox \"Ebb\"", "- \"All times are local\"\n- checkbox \"Slack\"", `in "water"`},
			lacks: []string{`"Ling and`, `"Flood All`, `"Slack water`, `- "Ling"`, `- "Flood"`}},
	})
	show(p, `<form>Berth <input value=12> <input type=checkbox> Shore power <table><tr><td>Name<td><input></table><p>Length <input> m</p></form>`)
	list := p.Text("snapshot", pipetest.Object{"interactive": true})
	pipetest.Has(t, list, `] in "Berth": 12`, `] in "Shore power"`, `] in "Name"`, `] in "Length"`)
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "Berth"}), "Berth")

	// What stands beside a field changes without it.
	show(p, `<p><span id=b>Buoy</span> <input></p>`)
	pipetest.Has(t, p.Text("snapshot", nil), `in "Buoy"`)
	p.Call("eval", []string{"b.firstChild.data = 'Beacon', 1"})
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"diff": true}), `~ textbox [ref=`, `in "Beacon"`)
	p.Call("eval", []string{"b.nextSibling.nextSibling.after(' of light'), 1"})
	if got := p.Text("snapshot", nil); strings.Contains(got, "in \"") || !strings.Contains(got, `- "Beacon"`) || !strings.Contains(got, `- "of light"`) {
		t.Errorf("a text that is no longer the only one:\n%s", got)
	}
}

// The text of a field that nobody can write in is cut, as others are where there is less room; a larger budget, the whole
// outline and search have all of it.
func TestFixedTextsAreCut(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	text := strings.Repeat("The harbour keeps the boat, ", 60)
	show(p, `<textarea disabled>`+text+`until dawn</textarea><textarea readonly aria-label=Terms>`+text+`until dusk</textarea><textarea aria-label=Note>`+text+`until noon</textarea><input disabled value="Berth 12">`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "keeps…(+1", "until noon", "Berth 12\n(shortened: ")
	pipetest.Lacks(t, outline, "until dawn", "until dusk")
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"budget": 12_000}), "until dawn", "until dusk")
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "until dawn"}), "until dawn")
}
