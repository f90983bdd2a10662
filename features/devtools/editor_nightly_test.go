//go:build evidence

package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestScriptIsEdited(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	total := func(want string) {
		t.Helper()
		p.Call("click", []string{"#total"})
		same(t, p.Text("txt", []string{"#result"}), "Total: "+want)
	}
	p.Call("eval", []string{"window.mark = 7"})
	total("133")
	live := edit(p, pipetest.Object{"url": "debug.js", "old": "return sum;", "new": "return sum * 2;"}, 7)
	pipetest.Has(t, p.Text("code-read", pipetest.Object{"url": "debug.js", "start": 7, "end": 7}), "7 |   return sum * 2;")
	edit(p, pipetest.Object{"url": "/debug", "old": `"Hello, "`, "new": `"Bye, "`}, 14)
	same(t, p.Call("eval", []string{"mark"}), "7") // still the same document
	if !live {
		total("133")
		p.Call("reload", nil)
	}
	total("308")
	p.Call("click", []string{"#greet"})
	same(t, p.Text("txt", []string{"#result"}), "Bye, Ada")
	if live {
		p.Call("reload", nil)
		total("133")
		return
	}
	// Edits survive navigations and build on each other. Restoring the original
	// removes them.
	edit(p, pipetest.Object{"url": "debug.js", "old": "sum * 2", "new": "sum * 3"}, 7)
	edit(p, pipetest.Object{"url": "debug.js", "old": "sum * 3;", "new": "sum + 1;"}, 7)
	edit(p, pipetest.Object{"url": "/debug", "old": `"Bye, "`, "new": `"Grüß dich, "`}, 14)
	p.Call("nav", []string{"/login"})
	p.Call("nav", []string{"/debug"})
	total("136")
	p.Call("click", []string{"#greet"})
	same(t, p.Text("txt", []string{"#result"}), "Grüß dich, Ada")
	edit(p, pipetest.Object{"url": "debug.js", "old": "sum + 1;", "new": "sum;", "reload": true}, 7)
	total("133")
	// Edits affect only this page.
	edit(p, pipetest.Object{"url": "debug.js", "old": "return sum;", "new": "return sum * 2;", "reload": true}, 7)
	p.Call("use-page", []string{p.Text("new-page", []string{"c1"})})
	p.Call("nav", []string{"/debug"})
	total("133")
}
