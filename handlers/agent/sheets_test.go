package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A drawing that takes presses says where it is, as a canvas does: a press beside its parts may miss it, and land on
// what stands below. One that is only looked at, and an icon, say nothing more than before.
func TestDrawingsThatTakePressesSayWhere(t *testing.T) {
	pipetest.InCI(t, "it is about drawn pages, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	const sheet, parts = `<svg id=plan width=150 height=130 style="display:block">`,
		`<circle r=4 cx=70 cy=40 fill=#0000ff /><line x1=70 y1=40 x2=128 y2=95 stroke=#000000 /></svg>`
	const save = `<button>Save</button>`
	outlinesOf(t, p, []pageCase{
		{name: "it listens", html: sheet + parts + save, code: `document.querySelector('#plan').addEventListener('click', () => {})`,
			has: []string{`- img [ref=`, `(#plan, 150x130 at 8,8):`, "shape [ref=", "78,48 to 136,103"}},
		{name: "with words in it", html: sheet + `<text x=9 y=20>Kitchen</text>` + parts + save, code: `document.querySelector('#plan').addEventListener('pointerdown', () => {})`,
			has: []string{`150x130 at 8,8`, "Kitchen"}},
		{name: "around it", html: `<div id=frame style="width:150px">` + sheet + parts + `</div>` + save, code: `document.querySelector('#frame').addEventListener('mousedown', () => {})`,
			has: []string{`150x130 at 8,8`}},
		{name: "its parts are used", html: `<svg id=plan width=150 height=130><g onclick=1><rect width=20 height=20 fill=#0000ff /></g><g onclick=1><rect x=50 width=20 height=20 fill=#0000ff /></g></svg>` + save,
			has: []string{"drawing:\n - clickable"}, lacks: []string{"150x130"}},
		{name: "a card with a picture and words", html: `<div onclick=1>Rooms` + sheet + parts + `</div>`, has: []string{"clickable"}, lacks: []string{"150x130"}},
		{name: "to look at", html: sheet + parts + save, has: []string{"drawing:"}, lacks: []string{"150x130"}},
		{name: "an icon", html: `<svg width=24 height=24 onclick=1><circle r=9 cx=12 cy=12 fill=#0000ff /></svg>`, lacks: []string{"24x24"}},
	})
}
