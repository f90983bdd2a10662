package devtools_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// edit changes a script with code-edit. It reports whether the change is in
// force at once, as in Chromiums that still edit scripts in place.
func edit(p *pipetest.Pipe, params pipetest.Object, line int) (live bool) {
	p.T.Helper()
	got := pipetest.Get[pipetest.Object](p, "code-edit", params)
	same(p.T.(*testing.T), []any{got["kind"], got["line"]}, []any{"script", line})
	if got["inForce"] != "now" && got["inForce"] != "after reload" {
		p.T.Fatalf("in force: %v", got["inForce"])
	}
	return got["inForce"] == "now"
}

// TestEditReloads: an edit that needs a reload is in force after its own reload.
func TestEditReloads(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	got := pipetest.Get[pipetest.Object](p, "code-edit", pipetest.Object{"url": "debug.js", "old": "return sum;", "new": "return sum * 2;", "reload": true})
	same(t, got["inForce"], "now")
	p.Call("click", []string{"#total"})
	same(t, p.Text("txt", []string{"#result"}), "Total: 308")
	// A script made by the page has no URL on which to intercept it.
	p.Call("eval", []string{"eval('window.made = () => 1\\n//# sourceURL=made-up.js')"})
	if r := p.Try("code-edit", pipetest.Object{"url": "made-up.js", "old": "=> 1", "new": "=> 2"}); r.Error != "" {
		pipetest.Has(t, r.Error, "made-up.js was not changed", "has no URL of its own")
	}
}

func TestPausedScriptIsEdited(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	breakAt(p, 23, "#total")
	p.Call("debug-unbreak", nil)
	live := edit(p, pipetest.Object{"url": "debug.js", "old": "return sum;", "new": "return sum + 100;"}, 7)
	p.Call("debug-resume", nil)
	if !live {
		same(t, p.Text("txt", []string{"#result"}), "Total: 133")
		p.Call("reload", nil)
		p.Call("click", []string{"#total"})
	}
	same(t, p.Text("txt", []string{"#result"}), "Total: 433")
	if live {
		breakAt(p, 6, "#total")
		pipetest.Has(t, p.Fail("code-edit", pipetest.Object{"url": "debug.js", "old": "let result = 0;", "new": "let result = 1;"}), "debug.js was not changed", "is running")
	}
}

func TestStylesheetsAreEditedLive(t *testing.T) {
	t.Parallel()
	p := start(t)
	const colour = "getComputedStyle(document.getElementById('panel')).color"
	same(t, p.Text("eval", []string{colour}), "rgb(0, 60, 120)")
	got := pipetest.Get[pipetest.Object](p, "code-edit", pipetest.Object{"url": "debug.css", "old": "rgb(0, 60, 120)", "new": "rgb(9, 9, 9)"})
	same(t, []any{got["kind"], got["line"]}, []any{"stylesheet", 3})
	same(t, p.Text("eval", []string{colour}), "rgb(9, 9, 9)")
	got = pipetest.Get[pipetest.Object](p, "code-edit", pipetest.Object{"url": "/debug", "old": "dashed", "new": "dotted"})
	same(t, got["line"], 19)
	same(t, p.Text("eval", []string{"getComputedStyle(document.querySelector('.lead')).borderBottomStyle"}), "dotted")
	pipetest.Has(t, p.Text("code-read", pipetest.Object{"url": "debug.css", "start": 1, "end": 3}), "3 |   color: rgb(9, 9, 9);", "(goes on to line")
}

func TestBadEdits(t *testing.T) {
	t.Parallel()
	p := start(t)
	edit := func(url, old, with string) string {
		return p.Fail("code-edit", pipetest.Object{"url": url, "old": old, "new": with})
	}
	pipetest.Has(t, edit("debug.js", "const sum", "const s"), "occurs 2 times: debug.js:6, debug.js:23", "include more")
	pipetest.Has(t, edit("debug.js", "nothing like it", "x"), "does not contain that text")
	pipetest.Has(t, edit("nope.js", "a", "b"), `no script or stylesheet matches "nope.js"`, "debug.js")
	pipetest.Has(t, edit("debug.js", "", "b"), "old:")
	pipetest.Has(t, edit("debug.js", "a", "a"), "old:")
	pipetest.Has(t, edit("debug.js", "function add(a, b) {", "function add(a, b {"), "does not compile", "SyntaxError", "(line 5)")
	pipetest.Has(t, p.Text("code-read", pipetest.Object{"url": "debug.js", "start": 5, "end": 5}), "5 | function add(a, b) {")
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
	pipetest.Has(t, p.Text("code-search", pipetest.Object{"query": "color:", "url": "debug.css", "limit": 2}), "(more; raise limit)")
	pipetest.Has(t, p.Fail("code-search", []string{"("}), "query:")
	pipetest.Has(t, p.Fail("code-search", []string{"x", "nope.js"}), "no script or stylesheet")

	same(t, p.Text("code-read", []any{"debug.js", 5, 6}), "5 | function add(a, b) {\n6 |   const sum = a + b;\n(goes on to line 45)")
	pipetest.Has(t, p.Fail("code-read", []any{"debug.js", 100}), "debug.js has no line 100; its last is 45")
	pipetest.Has(t, p.Fail("code-read", []any{"debug.js", 9, 5}), "9 to 5")
	pipetest.Has(t, p.Fail("code-read", []any{"static"}), "more than one file")
}
