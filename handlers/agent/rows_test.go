package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A table that is drawn with elements without a role has a line for each row, with its cells in their order.
func TestRowsOfDrawnTables(t *testing.T) {
	pipetest.InCI(t, "it is about drawn pages, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	const flex = `<style>.row{display:flex}.row>*{width:100px;min-height:10px}</style>`
	outlinesOf(t, p, []pageCase{
		{name: "a ledger", html: flex + `<div><div class="row head"><div>Date</div><div>Payee</div><div>Category</div><div>Payment</div><div>Deposit</div></div>` +
			repeated(`<div class=row><div>May %d</div><div>Shop %d</div><div class=cell onclick=1></div><div></div><div>€%d</div></div>`, 21) + `</div>`,
			has: []string{"row: Date | Payee | Category | Payment | Deposit", "row: May 0 | Shop 0 | [ref=", "] |  | €0", "row: May 20 | Shop 20"}, lacks: []string{".cell"}},
		{name: "roles", html: `<div role=grid aria-label=Fruit><div role=row><div role=columnheader>Name</div><div role=columnheader>Price</div><div role=columnheader>Pick</div></div>` +
			repeated(`<div role=row><div role=gridcell>Apple %d</div><div role=gridcell tabindex=0></div><div role=gridcell><input type=checkbox aria-label=Pick></div></div>`, 4) + `</div>`,
			has: []string{"row: Name | Price | Pick", "row: Apple 3 | [ref=", `checkbox "Pick"`}},
		{name: "a grid without rows", html: `<div style="display:grid;grid-template-columns:repeat(4,100px)"><div>Name</div><div>Mail</div><div>Role</div><div></div>` +
			repeated(`<div>Ann %d</div><div>ann%d@x.y</div><div><select aria-label=Role><option>admin<option>user</select></div><div><button>Remove</button></div>`, 5) + `</div>`,
			has: []string{"row: Name | Mail | Role | ", `row: Ann 4 | ann4@x.y | combobox "Role"`, `button "Remove"`}},
		{name: "rows that are placed", html: `<style>.r{position:absolute;left:0;display:flex}.r span{display:block;width:120px}</style><div style="position:relative;height:200px">` +
			repeated(`<div class=r style="top:%d0px"><span>Host %d</span><span>up</span><span>10.0.0.%d</span></div>`, 9) + `</div>`, has: []string{"row: Host 8 | up | 10.0.0.8"}},
		{name: "display table", html: `<style>.t{display:table}.t>div{display:table-row}.t>div>div{display:table-cell;width:90px}</style><div class=t>` +
			repeated(`<div><div><a href=/n/%d>Note %d</a></div><div>draft</div><div><button>Edit</button> <button>Drop</button></div></div>`, 5) + `</div>`,
			has: []string{`row: link "Note 4" [ref=`, `| draft | button "Edit" [ref=`, `button "Drop" [ref=`}},
		{name: "squares of a board", html: flex + repeated(`<div class=row><div style="cursor:pointer">%d</div><div style="cursor:pointer"></div><div style="cursor:pointer"></div></div>`, 3), has: []string{"row: 0 [ref=", "] | [ref="}},
		{name: "marks of a board", html: `<style>b{display:inline-block;width:40px;height:40px}</style>` + repeated(`<div><b class=hole onclick=%d></b><b class=hole onclick=1></b><b class=hole onclick=1></b></div>`, 2) +
			`<div><b class="hole knot" onclick=1></b><b class=hole onclick=1></b><b class="hole rope" onclick=1></b></div>`, has: []string{"] (.knot) | [ref=", "] (.rope)"}, lacks: []string{".hole"}},
		{name: "a month", html: `<div style="display:grid;grid-template-columns:repeat(7,30px)">` + repeated(`<div class=day tabindex=-1 onclick=1>%d</div>`, 28) + `</div>`, has: []string{"row: 0 [ref=", "| 6 [ref=", "row: 21 [ref="}},
		{name: "cards", html: flex + repeated(`<div class=row><div><h3>Lamp %d</h3><p>A bright lamp</p></div><div><h3>Chair %d</h3><p>A chair</p></div><div><h3>Desk %d</h3><p>A desk</p></div></div>`, 4),
			has: []string{`h3 "Lamp 3"`, `h3 "Desk 3"`}, lacks: []string{"row"}},
		{name: "lines of two, and words that only stand in lines", html: flex + repeated(`<div class=row><div>Key %d</div><div>Value</div></div>`, 4) + repeated(`<div style="display:flex"><span>Some words of %d</span><i>and</i><span>more that are</span></div>`, 1) +
			`<div style="display:flex"><span>A</span><i>longer text</i><span>than the first</span></div><div style="display:flex"><span>Third of them</span><i>x</i><span>y</span></div>`, lacks: []string{"row"}},
	})
}
