package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestClicksThatChangedNothing: what took a click that changed nothing is told first, unless the call named it,
// and what the element takes instead.
func TestClicksThatChangedNothing(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	const nothing = "ok\n→ nothing changed in the document"
	const began, keys = "listens to the begin of a press and to no click: drag it", "listens to keys and to no click: press"
	site := pipetest.ServePages(t, map[string]string{"/": `<h2>Save settings</h2><button id=dead>Save</button>
<div id=down tabindex=0>Pull</div><ul><li id=item><b>Milk</b></li></ul><div id=card draggable=true>Card</div>
<div id=slide role=slider tabindex=0 aria-valuenow=3 aria-label=Size style="width:99px;height:20px"></div><input type=range id=range>
<div id=keys tabindex=0>Grid</div><div id=twice>Row</div><div id=log>Logged</div><p class=p>One<p class=p>Two
<script>const on = (sel, type, does = () => {}) => document.querySelector(sel).addEventListener(type, does);
on('#down', 'pointerdown'); on('ul', 'mousedown'); on('#keys', 'keydown'); on('#twice', 'dblclick');
on('#log', 'click', () => fetch('/'));</script>`})
	p := startTelling(t, site)
	call := pipetest.OverMCP(p)
	call("nav", pipetest.Object{"url": site, "timeout": 60})
	for _, c := range []struct{ sel, begins, has, lacks string }{
		{"text=Save", nothing, `; heading "Save settings" [ref=`, "drag"},
		{"#dead", nothing, "", ";"},
		{"#down", nothing, began, "took"},
		{"text=Milk", nothing, began, ""},
		{"#card", nothing, "it is made to be dragged: drag", "took"},
		{"#slide", nothing, "a slider takes fill, press with an arrow key, or drag", "took"},
		{"#keys", nothing, keys, ""},
		{"#twice", nothing, "listens to double clicks alone: dclick", ""},
		{".p", nothing, `took the click`, "listens"},
		{"#log", "ok\n→ nothing changed that the outline shows", "", "; "},
	} {
		got := call("click", pipetest.Object{"sel": c.sel, "timeout": 60})
		if len(got) < len(c.begins) || got[:len(c.begins)] != c.begins {
			t.Errorf("%s: %q", c.sel, got)
		}
		pipetest.Has(t, got, c.has)
		if c.lacks != "" {
			pipetest.Lacks(t, got, c.lacks)
		}
	}
	ref := pick(t, call("snapshot", pipetest.Object{}), `clickable \[ref=(e\d+)\]: Pull`)
	got := call("click", pipetest.Object{"sel": ref, "timeout": 60})
	pipetest.Has(t, got, began)
	pipetest.Lacks(t, got, "took the click")
}
