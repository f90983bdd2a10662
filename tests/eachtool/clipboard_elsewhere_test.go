package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPasteElsewhere: an element that can't get the focus is not pasted into the field that has it.
func TestPasteElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClipboard is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<input id=i><div id=ce contenteditable>C</div><div id=no>x</div><p id=text>y</p>
<div id=tab tabindex=-1 onfocus="i.focus()">passes it on</div><div id=box><input id=inner autofocus></div>`})
	p := pipetest.SharedOn(t, site+"/")
	paste := func(sel string) any { return pipetest.Object{"selector": sel, "text": "Z"} }
	for _, focused := range []string{"#i", "#ce"} {
		pipetest.Steps(p,
			does("focus", list(focused), "null"),
			does("browser_paste", paste("#no"), `!"#no" is not a field that takes text`),
			does("focus", list(focused), "null"),
			does("browser_paste", paste("#text"), `!"#text" is not a field that takes text`),
		)
	}
	pipetest.Steps(p,
		does("value", list("#i"), `""`),
		does("txt", list("#ce"), `"C"`),
		does("browser_paste", paste("#tab"), "~true"),
		does("value", list("#i"), `"Z"`),
		does("focus", list("#inner"), "null"),
		does("browser_paste", paste("#box"), "~true"),
		does("value", list("#inner"), `"Z"`),
	)
}
