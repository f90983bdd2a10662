//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A difference keeps the cells of a row together, also where the table comes or goes.
func TestRowsInDifferences(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestDiff of internal/text/snapshot is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>.row{display:flex}.row>*{width:100px}</style>`+repeated("<button>Load part %d</button>", 30)+`<div id=t></div>`)
	p.Text("snapshot", nil)
	diff := func(code string) string {
		p.Call("eval", []string{code + ", 1"})
		return p.Text("snapshot", pipetest.Object{"diff": true})
	}
	row := func(i string) string {
		return "<div class=row><div>May " + i + "</div><div>Shop " + i + "</div><div><button>Edit</button></div></div>"
	}
	pipetest.Lacks(t, diff("t.innerHTML = '"+row("0")+row("1")+"'"), "row")
	all := diff("t.insertAdjacentHTML('beforeend', '" + row("2") + row("3") + "')")
	pipetest.Has(t, all, "~ row: May 0 | Shop 0 | button", "+ row: May 3 | Shop 3 | button")
	one := diff("t.children[1].children[1].textContent = 'Bakery'")
	if one = strings.TrimSpace(one); !strings.HasPrefix(one, "~ row: May 1 | Bakery") && !strings.HasPrefix(one, "+ row: May 1 | Bakery") || strings.Contains(one, "May 2") {
		t.Errorf("a cell that changed: %s", one)
	}
	pipetest.Has(t, diff("t.innerHTML = '"+row("0")+row("1")+"'"), "- row: May 3", "Shop 1")
}
