package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A board of places that things are dragged to has a line for each row, however it is laid out, and a ref for each
// empty place.
func TestBoardsHaveRows(t *testing.T) {
	pipetest.InCI(t, "it is about drawn pages, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	const css = `<style>.row{display:flex}.seat{width:60px;height:40px;border:1px solid}.bed{float:left;width:60px;height:40px}</style>`
	const guest = `<b draggable=true>Guest %d</b>`
	seats := func(guests, empty int) string {
		return repeated(`<div class=seat>`+guest+`</div>`, guests) + strings.Repeat(`<div class=seat></div>`, empty)
	}
	outlinesOf(t, p, []pageCase{
		{name: "two rows", html: css + `<div class=row>` + seats(1, 2) + `</div><div class=row>` + seats(2, 1) + `</div>`,
			has: []string{"row: clickable [ref=", "]: Guest 0 | [ref=", "]: Guest 1 | [ref="}, lacks: []string{".seat"}},
		{name: "two columns", html: css + `<div style="display:grid;grid-template-columns:repeat(2,80px)">` + seats(2, 4) + `</div>`,
			has: []string{"]: Guest 0 | clickable [ref=", "row: [ref="}, lacks: []string{".seat"}},
		{name: "wrapped", html: css + `<div class=row style="flex-wrap:wrap;width:200px">` + seats(1, 8) + `</div>`,
			has: []string{"]: Guest 0 | [ref="}, lacks: []string{".seat"}},
		{name: "a sorted list that floats", html: css + `<ul class=ui-sortable style="width:150px;list-style:none;padding:0">` + repeated(`<li class=bed onmousedown=1>Bulb %d</li>`, 6) + `</ul>`,
			has: []string{"row: Bulb 0 [ref=", "] | Bulb 1 [ref=", "row: Bulb 4 [ref="}, lacks: []string{"listitem"}},
		{name: "places of no paint", html: `<div style="position:relative;height:99px">` + repeated(`<span style="position:absolute;top:0;left:%d0%;width:9%;height:30px"></span>`, 4) +
			repeated(`<span style="position:absolute;top:40px;left:%d0%;width:9%;height:30px"></span>`, 4) + `</div><p class=ui-draggable>Peg</p>`, has: []string{"row: [ref=", "] | [ref="}},
		{name: "what says that it is dragged", html: css + `<div style="display:grid;grid-template-columns:repeat(2,80px)">` + repeated(`<div class=seat><i role=button tabindex=0 aria-roledescription=sortable>Kid %d</i></div>`, 2) + seats(0, 2) + `</div>`,
			has: []string{`row: button "Kid 0" [ref=`, "row: [ref="}},
		{name: "who listens to all of them", html: css + `<div id=board style="width:190px">` + repeated(`<div class=bed>%d</div>`, 6) + `</div>`, code: "board.addEventListener('pointerdown', () => {})",
			has: []string{"row: 0 [ref=", "] | 2 [ref=", "row: 3 [ref="}},
		{name: "words of all lengths", html: css + `<p draggable=true>Tag</p><div style="width:200px">` + repeated(`<span style="display:inline-block" class=tag>label %d1111</span> <span class=tag>b</span> `, 4) + `</div>`, lacks: []string{"row"}},
		{name: "pairs", html: css + `<div id=pairs>` + repeated(`<div class=row><i class=seat>Key %d</i><b class=seat>Value</b></div>`, 5) + `</div>`, code: "pairs.addEventListener('click', () => {})", lacks: []string{"row"}},
		{name: "a ledger has no places", html: css + `<p draggable=true>Card</p>` + repeated(`<div class=row><div class=seat style="border:0">May %d</div><div class=seat style="border:0">Shop</div><div style="width:40px"></div></div>`, 4), has: []string{"row: May 3 | Shop |"}, lacks: []string{"| [ref="}},
		{name: "forms whose fields have names of the DOM", html: css + strings.Repeat(`<div class=row>`+seats(1, 1)+`<form class=seat><input name=matches><input name=hasAttribute><input name=textContent></form></div>`, 2) +
			`<div class=row style="flex-wrap:wrap;width:130px">` + seats(1, 2) + `<form class=seat><input name=querySelector><input name=nodeName></form></div>`, has: []string{"Guest 0"}},
		{name: "one line of things", html: css + `<div class=row id=pot>` + repeated(`<div class=seat draggable=true>Herb %d</div>`, 5) + `</div>`, lacks: []string{"row"}},
	})
}
