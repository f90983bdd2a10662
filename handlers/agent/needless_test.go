package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// pageCase is a page, and what its outline has and lacks.
type pageCase struct {
	name, html string
	code       string // runs in the page
	has, lacks []string
}

// outlinesOf shows each page and looks at its outline.
func outlinesOf(t *testing.T, p *pipetest.Pipe, cases []pageCase) {
	t.Helper()
	for _, c := range cases {
		show(p, c.html)
		if c.code != "" {
			p.Call("eval", []string{c.code + ", 1"})
		}
		outline := pierced(t, p)
		for _, want := range c.has {
			if !strings.Contains(outline, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, outline)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(outline, not) {
				t.Errorf("%s: %q is in\n%s", c.name, not, outline)
			}
		}
	}
}

// pierced is an outline with what only DevTools knows, however slow the browser is.
func pierced(t *testing.T, p *pipetest.Pipe) (outline string) {
	t.Helper()
	pipetest.Eventually(t, "the browser answers in time", func() bool { // else the outline says so
		outline = p.Text("snapshot", nil)
		return !strings.Contains(outline, "the browser was slow")
	})
	return outline
}

// repeated writes a text so many times, with a number.
func repeated(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// What a modal dialog keeps a person from is counted, and told once the dialog is closed.
func TestBehindADialog(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	const page = `<main><h1>Orders</h1><p>Some words</p><button>Add</button></main>`
	const behind = "left out behind the dialog: 1 control, 2 texts; search finds them"
	layer := func(inner, more string) string {
		return page + `<div style="position:fixed;inset:0;background:#0008;z-index:5"><div role=dialog aria-modal=true aria-label=Edit style="margin:99px auto;width:400px;background:#fff">` + inner + `</div></div>` + more
	}
	outlinesOf(t, p, []pageCase{
		{name: "showModal", html: page + `<dialog id=d aria-label=Sure><p>Really?</p><button>Yes</button></dialog>`, code: "d.showModal()", has: []string{`dialog "Sure"`, "Really?", `button "Yes"`, behind}, lacks: []string{"Orders", "Add"}},
		{name: "a layer that is called modal", html: layer("<button>Save</button>", ""), has: []string{`button "Save"`, behind}, lacks: []string{"Orders", "Add"}},
		{name: "a layer beside the dialog", html: page + `<div style="position:fixed;inset:0;background:#0008"></div><div role=alertdialog aria-modal=true aria-label=Stop style="position:fixed;top:99px;left:99px;width:300px;height:99px;background:#fff"><button>OK</button></div>`,
			has: []string{`button "OK"`, behind}, lacks: []string{"Orders"}},
		{name: "a message above it", html: layer("<button>Save</button>", `<div style="position:fixed;right:9px;top:9px;z-index:9;background:#ff0"><div>Saved as draft <button>Undo</button></div></div>`),
			has: []string{`button "Save"`, "Saved as draft", `button "Undo"`, behind}, lacks: []string{"Orders"}},
		{name: "a panel that says it is modal and is not", html: page + `<div role=dialog aria-modal=true aria-label=Edit style="position:fixed;left:50px;top:50px;width:200px;background:#fff"><button>Save</button></div>`,
			has: []string{"Orders", `button "Add"`, `button "Save"`}, lacks: []string{"left out"}},
		{name: "a dialog that is not modal", html: page + `<dialog open aria-label=Tip><button>Got it</button></dialog>`, has: []string{"Orders", `button "Add"`, "Got it"}, lacks: []string{"left out"}},
	})

	show(p, page+`<dialog id=d aria-label=Cookies><button onclick="d.close()">Accept</button></dialog>`)
	p.Call("eval", []string{"d.showModal(), 1"})
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "Add"}), `button "Add"`)
	p.Call("click", []string{ref(t, outline, "Accept")})
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"diff": true}), `h1 "Orders"`, `button "Add"`)

	show(p, page+`<button onclick="d.showModal()">Remove</button><dialog id=d aria-label=Sure><button onclick="d.close()">No</button></dialog>`)
	p.Call("click", []string{ref(t, p.Text("snapshot", nil), "Remove")})
	diff := p.Text("snapshot", pipetest.Object{"diff": true})
	pipetest.Has(t, diff, `button "No"`)
	pipetest.Lacks(t, diff, "Orders")
	p.Call("click", []string{ref(t, diff, "No")})
	pipetest.Lacks(t, p.Text("snapshot", pipetest.Object{"diff": true}), "+ ")
}
