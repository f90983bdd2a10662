//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Places have refs as soon as there is something to drag, and only then.
func TestPlacesOfABoardThatIsKept(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBoardsHaveRows is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>.row{display:flex}.row div{width:50px;height:50px}</style>`+strings.Repeat(`<div class=row><div></div><div></div><div></div></div>`, 3)+`<p id=hand></p>`)
	pipetest.Lacks(t, pierced(t, p), "[ref=")
	p.Call("eval", []string{"hand.innerHTML = '<b draggable=true>Rook</b>', 1"})
	board := pierced(t, p)
	pipetest.Has(t, board, "row: [ref=", "Rook")
	p.Call("eval", []string{"document.addEventListener('drop', (e) => e.target.append('taken')), document.addEventListener('dragover', (e) => e.preventDefault()), 1"})
	p.Call("drag", []string{ref(t, board, "Rook"), ref(t, board, "row: ")})
	pipetest.Has(t, p.Text("snapshot", nil), "row: taken")
	p.Call("eval", []string{"hand.innerHTML = '', 1"})
	pipetest.Lacks(t, pierced(t, p), "[ref=")
}
