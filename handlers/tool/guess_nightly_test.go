//go:build evidence

package tool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The calls of a model end early too, those of tools that are made to wait do not.
func TestGuessesOfTools(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRoad is quick")
	t.Parallel()
	p := pipetest.StartOn(t, "/login", "--profile", "agent", "--act-outline", "none")
	call := pipetest.OverMCP(p)
	rested := "nothing has changed there for 1 s (a timeout waits longer)"
	email := "internal:role=textbox[name=\"Pasword\"i]"
	pipetest.Has(t, call("fill", pipetest.Object{"sel": email, "val": "x"}), "nothing matches", rested, `textbox here: "Password"`)
	for tool, args := range map[string]pipetest.Object{
		"click": {"sel": "#none"}, "txt": {"sel": "#none"}, "snapshot": {"selector": "#none"}, "download": {"sel": "#none"},
		"batch": {"steps": []any{[]any{"click", "#none"}}},
	} {
		pipetest.Has(t, call(tool, args), `nothing matches "#none" on p1`, rested)
	}
	p.Call("nav", []string{"about:blank"})
	p.Call("eval", []string{"document.body.innerHTML = `<button id=dead>Dead</button><div style='position:relative'><button id=under>Under</button><b style='position:absolute;inset:0'>Cover</b></div><button id=hidden hidden>Hidden</button><input id=locked disabled>`, 1"})
	p.Call("eval", []string{hiddenClock})
	pipetest.Has(t, call("fill", pipetest.Object{"sel": "#locked", "val": "x"}), `"#locked" is disabled on p1`, "nothing has changed there for 3 s")
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#under"}), `"#under" is covered: <b>Cover</b> intercepts pointer events on p1`, "nothing has changed there for 3 s")
	pipetest.Has(t, call("batch", pipetest.Object{"outline": "diff", "steps": []any{[]any{"eval", "document.body.append('New words here')"}, []any{"click", "#none"}, []any{"click", "#dead"}}}),
		"step 2 of 3 failed", rested, `"New words here"`)
	pipetest.Has(t, call("download", pipetest.Object{"sel": "#dead"}), "no download started: clicked", rested)
	for name, args := range map[string]pipetest.Object{
		"click": {"sel": "#none", "timeout": 2}, "wait": {"sel": "#none", "timeout": 2}, "expect-text": {"sel": "#none", "text": "x", "timeout": 2},
	} {
		pipetest.Lacks(t, call(name, args), rested)
	}
	got := call("batch", pipetest.Object{"steps": []any{[]any{"click", "#none"}}, "timeout": 2})
	pipetest.Has(t, got, "nothing matches")
	pipetest.Lacks(t, got, rested)
	// What is on its way is waited for: the answer to a request, an element that is there and not ready, changes.
	call("nav", pipetest.Object{"url": "/login"})
	for name, code := range map[string]string{
		"a request": `(async () => { await fetch('/slow?ms=2500'); document.body.insertAdjacentHTML('beforeend', '<b id=late>there</b>') })(), 1`,
		"an element that is hidden": `document.body.insertAdjacentHTML('beforeend', '<button id=late hidden>there</button>'),
			setTimeout(() => late.hidden = false, 2500), 1`,
		"changes": `(() => { let n = 0; const i = setInterval(() => { document.querySelector('h1').textContent = 'n' + n; if (++n === 12) {
			clearInterval(i); document.body.insertAdjacentHTML('beforeend', '<b id=late>there</b>') } }, 200) })(), 1`,
	} {
		call("eval", pipetest.Object{"code": code})
		if got := call("click", pipetest.Object{"sel": "#late"}); got[:2] != "ok" {
			t.Errorf("%s: %s", name, got)
		}
		call("eval", pipetest.Object{"code": "document.querySelector('#late').remove(), 1"})
	}
	// Nothing is told early on the pipe, whose callers wait for what a page does later.
	p.Call("eval", []string{"setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=late>there</b>'), 2500), 1"})
	pipetest.Has(t, p.Call("txt", []string{"#late"}), "there")
}
