package devtools

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestScriptIsEditedLive(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.Call("eval", []string{"window.mark = 7"})
	p.Call("click", []string{"#total"})
	same(t, p.Text("txt", []string{"#result"}), "Total: 133")
	got := pipetest.Get[obj](p, "code-edit", obj{"url": "debug.js", "old": "return sum;", "new": "return sum * 2;"})
	same(t, []any{got["kind"], got["line"]}, []any{"script", 7})
	p.Call("click", []string{"#total"})
	same(t, p.Text("txt", []string{"#result"}), "Total: 308")
	pipetest.Has(t, p.Text("code-read", obj{"url": "debug.js", "start": 7, "end": 7}), "7 |   return sum * 2;")

	got = pipetest.Get[obj](p, "code-edit", obj{"url": "/debug", "old": `"Hello, "`, "new": `"Bye, "`})
	same(t, got["line"], 14)
	p.Call("click", []string{"#greet"})
	same(t, p.Text("txt", []string{"#result"}), "Bye, Ada")
	same(t, p.Call("eval", []string{"mark"}), "7") // the same document still

	p.Call("reload", nil)
	p.Call("click", []string{"#total"})
	same(t, p.Text("txt", []string{"#result"}), "Total: 133")
}

func TestBreakpointsSurviveAnEdit(t *testing.T) {
	t.Parallel()
	p := start(t)
	b := pipetest.Get[breakpoint](p, "debug-break", obj{"file": "debug.js", "line": 7})
	p.Call("code-edit", obj{"url": "debug.js", "old": "const sum = a + b;", "new": "const sum = a + b + 1;"})
	pipetest.Has(t, p.Fail("click", []string{"#total"}), "at debug.js:7:")
	w := pipetest.Get[where](p, "debug-where", nil)
	same(t, w.Hit, []string{b.ID})
	pipetest.Has(t, w.Source, "const sum = a + b + 1;")
	same(t, pipetest.Get[any](p, "debug-eval", []string{"sum"}), 5)
}

func TestPausedScriptIsEdited(t *testing.T) {
	t.Parallel()
	p := start(t)
	breakAt(p, 23, "#total")
	p.Call("debug-unbreak", nil)
	p.Call("code-edit", obj{"url": "debug.js", "old": "return sum;", "new": "return sum + 100;"})
	p.Call("debug-resume", nil)
	same(t, p.Text("txt", []string{"#result"}), "Total: 433")
	breakAt(p, 6, "#total")
	pipetest.Has(t, p.Fail("code-edit", obj{"url": "debug.js", "old": "let result = 0;", "new": "let result = 1;"}), "debug.js was not changed", "is running")
}

func TestStylesheetsAreEditedLive(t *testing.T) {
	t.Parallel()
	p := start(t)
	const colour = "getComputedStyle(document.getElementById('panel')).color"
	same(t, p.Text("eval", []string{colour}), "rgb(0, 60, 120)")
	got := pipetest.Get[obj](p, "code-edit", obj{"url": "debug.css", "old": "rgb(0, 60, 120)", "new": "rgb(9, 9, 9)"})
	same(t, []any{got["kind"], got["line"]}, []any{"stylesheet", 3})
	same(t, p.Text("eval", []string{colour}), "rgb(9, 9, 9)")
	got = pipetest.Get[obj](p, "code-edit", obj{"url": "/debug", "old": "dashed", "new": "dotted"})
	same(t, got["line"], 19)
	same(t, p.Text("eval", []string{"getComputedStyle(document.querySelector('.lead')).borderBottomStyle"}), "dotted")
	pipetest.Has(t, p.Text("code-read", obj{"url": "debug.css", "start": 1, "end": 3}), "3 |   color: rgb(9, 9, 9);", "(goes on to line")
}

func TestBadEdits(t *testing.T) {
	t.Parallel()
	p := start(t)
	edit := func(url, old, with string) string {
		return p.Fail("code-edit", obj{"url": url, "old": old, "new": with})
	}
	pipetest.Has(t, edit("debug.js", "const sum", "const s"), "there 2 times: debug.js:6, debug.js:23", "give more")
	pipetest.Has(t, edit("debug.js", "nothing like it", "x"), "does not hold that text")
	pipetest.Has(t, edit("nope.js", "a", "b"), `no script or stylesheet matches "nope.js"`, "debug.js")
	pipetest.Has(t, edit("debug.js", "", "b"), "old:")
	pipetest.Has(t, edit("debug.js", "a", "a"), "old:")
	pipetest.Has(t, edit("debug.js", "function add(a, b) {", "function add(a, b {"), "does not compile", "SyntaxError", "(line 5)")
	pipetest.Has(t, p.Text("code-read", obj{"url": "debug.js", "start": 5, "end": 5}), "5 | function add(a, b) {")
}

func TestCodeIsFoundAndRead(t *testing.T) {
	t.Parallel()
	p := start(t)
	list := p.Call("code-list", nil)
	pipetest.Has(t, list, `"stylesheet"`, `"script"`, "/static/debug.css", "/static/debug.js")
	pipetest.Lacks(t, p.Call("code-list", []string{".css"}), "debug.js")

	found := p.Text("code-search", []string{`function \w+\(a`})
	if !strings.HasSuffix(found, "/static/debug.js:5:1: function add(a, b) {") {
		t.Errorf("found %s", found)
	}
	pipetest.Has(t, p.Text("code-search", []string{"1px dashed"}), "/debug:19:24:")
	same(t, p.Text("code-search", []string{"function", "debug.css"}), "no match")
	pipetest.Has(t, p.Text("code-search", obj{"query": "color:", "url": "debug.css", "limit": 2}), "(more; raise limit)")
	pipetest.Has(t, p.Fail("code-search", []string{"("}), "query:")
	pipetest.Has(t, p.Fail("code-search", []string{"x", "nope.js"}), "no script or stylesheet")

	same(t, p.Text("code-read", []any{"debug.js", 5, 6}), "5 | function add(a, b) {\n6 |   const sum = a + b;\n(goes on to line 45)")
	pipetest.Has(t, p.Fail("code-read", []any{"debug.js", 100}), "debug.js has no line 100; its last is 45")
	pipetest.Has(t, p.Fail("code-read", []any{"debug.js", 9, 5}), "9 to 5")
	pipetest.Has(t, p.Fail("code-read", []any{"static"}), "more than one file")
}
