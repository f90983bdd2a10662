package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

type locals struct {
	Function, Place string
	This            any
	Scopes          []struct {
		Type, Name string
		Vars       pipetest.Object
	}
}

func TestBreakpointIsHitAndVariablesAreSeen(t *testing.T) {
	t.Parallel()
	p := start(t)
	b := breakAt(p, 6, "#total")
	if b.Pending || len(b.Locations) != 1 || b.Locations[0].Line != 6 {
		t.Errorf("the breakpoint was not resolved: %+v", b)
	}
	w := pipetest.Get[where](p, "debug-where", nil)
	same(t, []any{w.State, w.Reason, w.Hit, w.Function, w.Line}, []any{"paused", "breakpoint", []string{b.ID}, "add", 6})
	pipetest.Has(t, w.Source, "> 6 |   const sum = a + b;", "  5 | function add(a, b) {")
	var calls []string
	for _, f := range w.Stack {
		calls = append(calls, f.Function)
	}
	same(t, calls, []string{"add", "total", "onTotal"})

	l := pipetest.Get[locals](p, "debug-locals", nil)
	same(t, l.Scopes, []any{pipetest.Object{"Type": "local", "Name": "add", "Vars": pipetest.Object{"a": 0, "b": 4, "sum": "(not set yet)"}}})
	l = pipetest.Get[locals](p, "debug-locals", pipetest.Object{"frame": 1})
	same(t, []any{l.Function, len(l.Scopes), l.Scopes[0].Type, l.Scopes[0].Vars["item"]}, []any{"total", 2, "block", `{name: "wick", price: 4}`})
	same(t, l.Scopes[1].Vars, pipetest.Object{"list": "[Object, Object, Object]", "result": 0})
	pipetest.Has(t, p.Fail("debug-locals", pipetest.Object{"frame": 7}), "expected 0 to 2, got 7")

	for _, c := range [][2]any{{"a + b", 4}, {"({deep: {a}})", pipetest.Object{"deep": pipetest.Object{"a": 0}}}, {"document.body", "body"}, {"undefined", nil}, {"'x'", "x"}, {"NaN", "NaN"}} {
		same(t, pipetest.Get[any](p, "debug-eval", []any{c[0]}), c[1])
	}
	same(t, pipetest.Get[any](p, "debug-eval", pipetest.Object{"code": "list.length", "frame": 1}), 3)
	pipetest.Has(t, p.Fail("debug-eval", []string{"nope"}), "ReferenceError: nope is not defined")
	pipetest.Has(t, p.Fail("debug-eval", []string{"while (true) {}"}, "timeout", 0.5), "debug-eval")
	p.Call("debug-eval", []string{"b = 1000"})
	p.Call("debug-unbreak", nil)
	same(t, pipetest.Get[where](p, "debug-resume", nil).State, "running")
	same(t, p.Text("txt", []string{"#result"}), "Total: 1129")
	// Two columns of a line are two places, each with one breakpoint.
	at := pipetest.Object{"file": "debug.js", "line": 32}
	first := pipetest.Get[breakpoint](p, "debug-break", at)
	at["column"] = 47
	p.Call("debug-break", at)
	again := pipetest.Get[breakpoint](p, "debug-break", at)
	same(t, again.Locations[0].Column, 47)
	same(t, pipetest.Get[[]breakpoint](p, "debug-breaks", nil), []breakpoint{first, again})
	p.Call("debug-unbreak", []string{first.ID})
	same(t, pipetest.Get[[]breakpoint](p, "debug-breaks", nil), []breakpoint{again})
}

func TestSteps(t *testing.T) {
	t.Parallel()
	p := start(t)
	breakAt(p, 13, "#total")
	p.Call("debug-unbreak", nil)
	steps := func(list ...[2]string) {
		t.Helper()
		for _, c := range list {
			if got := pipetest.Get[where](p, "debug-step", []string{c[0]}).place(); got != c[1] {
				t.Fatalf("step %s led to %s, want %s", c[0], got, c[1])
			}
		}
	}
	steps([2]string{"into", `["add",6]`}, [2]string{"over", `["add",7]`}, [2]string{"out", `["total",12]`}, [2]string{"into", `["total",13]`},
		[2]string{"over", `["total",12]`}, [2]string{"over", `["total",13]`})
	// Some Chromiums stop at the head of the loop once more, at the end of the list.
	if got := pipetest.Get[where](p, "debug-step", []string{"over"}).place(); got == `["total",12]` {
		steps([2]string{"over", `["total",15]`})
	} else if got != `["total",15]` {
		t.Fatalf("the loop's last step led to %s", got)
	}
	steps([2]string{"out", `["onTotal",24]`}, [2]string{"over", `["onTotal",25]`}, [2]string{"over", "running"})
	// The last step left the script. Code that runs later is not stepped into.
	p.Call("click", []string{"#total"})
	pipetest.Has(t, p.Fail("debug-step", []string{"over"}), "p1 is not paused", "debug-break")
	pipetest.Has(t, p.Fail("debug-step", []string{"up"}), "over, into, out")
}

func TestConditionAndReplacement(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	first := pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": "debug.js", "line": 6, "condition": "b > 1000"})
	p.Call("click", []string{"#total"})
	second := pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": "debug.js", "line": 6, "condition": "b > 100"})
	list := pipetest.Get[[]breakpoint](p, "debug-breaks", nil)
	if len(list) != 1 || list[0].ID != second.ID || first.ID == second.ID {
		t.Errorf("the second breakpoint did not take the place of the first: %+v", list)
	}
	pipetest.Has(t, p.Fail("click", []string{"#total"}), "paused in the debugger at debug.js:6:")
	same(t, pipetest.Get[any](p, "debug-eval", []string{"b"}), 120)
	pipetest.Has(t, p.Fail("debug-break", pipetest.Object{"file": "debug.js", "line": 7, "condition": "b >"}), "condition:", "does not compile", "SyntaxError")
}

func TestBreakpointWaitsForItsScript(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	b := pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": "debug-more.js", "line": 3})
	if !b.Pending || len(b.Locations) != 0 {
		t.Errorf("not pending: %+v", b)
	}
	p.Try("click", []string{"#load"}) // the script loads at some time
	w := pipetest.Get[where](p, "debug-wait", nil)
	same(t, []any{w.Function, w.Line, w.Hit}, []any{"arrived", 3, []string{b.ID}})
	if b = pipetest.Get[[]breakpoint](p, "debug-breaks", nil)[0]; b.Pending || len(b.Locations) != 1 {
		t.Errorf("still pending: %+v", b)
	}
	p.Call("debug-resume", nil)
	p.Call("wait", []string{"text=loaded: more"})
}

func TestBadBreakpoints(t *testing.T) {
	t.Parallel()
	p := start(t)
	pipetest.Has(t, p.Fail("debug-break", pipetest.Object{"file": "debug.js", "line": 600}), "no code at line 600 of debug.js", "lines 1-")
	pipetest.Has(t, p.Fail("debug-break", pipetest.Object{"file": "/[/", "line": 1}), "file:", "regular expression")
	pipetest.Has(t, p.Fail("debug-break", pipetest.Object{"file": "", "line": 1}), "file:")
	pipetest.Has(t, p.Fail("debug-break", pipetest.Object{"file": "debug.js", "line": 0}), "line")
	pipetest.Has(t, p.Fail("debug-unbreak", []string{"b7"}), `no breakpoint "b7"`)
	same(t, pipetest.Get[[]breakpoint](p, "debug-breaks", nil), []breakpoint{})
}

func TestFilesByRegexpAndInlineScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	b := pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": `/static/d\w+\.js$/`, "line": 24})
	same(t, len(b.Locations), 1)
	p.Call("debug-unbreak", []string{b.ID})
	b = pipetest.Get[breakpoint](p, "debug-break", pipetest.Object{"file": "/debug", "line": 14})
	if len(b.Locations) != 1 || b.Locations[0].Line != 14 {
		t.Fatalf("an inline script goes by the page's URL: %+v", b)
	}
	pipetest.Has(t, p.Fail("click", []string{"#greet"}), "debug:14:", "in greet")
	pipetest.Has(t, pipetest.Get[where](p, "debug-where", nil).Source, `> 14 |   const line = "Hello, " + name;`)
}

func TestPauseAndWait(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := start(t)
	same(t, pipetest.Get[where](p, "debug-where", nil).State, "running")
	same(t, pipetest.Get[where](p, "debug-pause", nil).State, "pausing")
	same(t, pipetest.Get[where](p, "debug-resume", nil).State, "running")
	p.Call("click", []string{"#total"}) // resume cancelled the pause
	p.Call("debug-pause", nil)
	pipetest.Has(t, p.Fail("click", []string{"#total"}), "in onTotal")
	w := pipetest.Get[where](p, "debug-wait", nil)
	same(t, []any{w.Reason, w.Line}, []any{"pause", 23})
	p.Call("debug-resume", nil)
	pipetest.Has(t, p.Fail("debug-resume", nil), "p1 is not paused")
	pipetest.Has(t, p.Fail("debug-wait", nil, "timeout", 2), "did not pause in time", "debug-breaks")
	// The pause may come before eval's own answer, which is then an error.
	p.Try("eval", []string{"const s = document.createElement('script'); s.textContent = 'setTimeout(() => { debugger; }, 50) //# sourceURL=made-up.js'; document.head.append(s)"})
	same(t, pipetest.Get[where](p, "debug-wait", nil).Reason, "debugger statement")
}

func TestExceptions(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	p.Call("debug-exceptions", []string{"uncaught"})
	p.Call("click", []string{"#catch"})
	pipetest.Has(t, p.Fail("click", []string{"#throw"}), "in fail")
	w := pipetest.Get[where](p, "debug-where", nil)
	same(t, []any{w.Reason, w.Exception, w.Line}, []any{"exception", "RangeError: the lamp is out", 28})
	p.Call("debug-resume", nil)
	p.Call("debug-exceptions", []string{"all"})
	// Code that tools run in the page does not count.
	p.Text("snapshot", nil)
	p.Fail("txt", []string{"css=[["})
	pipetest.Has(t, p.Fail("click", []string{"#catch"}), "in fail")
	p.Call("debug-resume", nil)
	p.Call("debug-exceptions", []string{"none"})
	p.Call("click", []string{"#throw"})
	pipetest.Has(t, p.Fail("debug-exceptions", []string{"some"}), "none, uncaught, all")
}

func TestBlackbox(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	p.Call("debug-exceptions", []string{"all"})
	p.Call("debug-blackbox", pipetest.Object{"patterns": []string{`debug\.js`}})
	p.Call("click", []string{"#catch"})
	same(t, p.Text("txt", []string{"#result"}), "caught: the lamp is out")
	p.Call("debug-blackbox", pipetest.Object{"patterns": []string{}})
	pipetest.Has(t, p.Fail("click", []string{"#catch"}), "in fail")
	p.Call("debug-resume", nil)
	pipetest.Has(t, p.Fail("debug-blackbox", pipetest.Object{"patterns": []string{"("}}), "Unterminated group")
}

func TestEvaluateWithoutPause(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := start(t)
	same(t, pipetest.Get[any](p, "debug-eval", []string{"items.map(i => i.name)"}), []string{"wick", "oil", "lens"})
	same(t, pipetest.Get[any](p, "debug-eval", []string{"Promise.resolve({a: 1})"}), pipetest.Object{"a": 1})
	same(t, pipetest.Get[any](p, "debug-eval", []string{"(await fetch('/api/user')).status"}), 200)
	same(t, pipetest.Get[any](p, "debug-eval", []string{"const o = {}; o.self = o; o"}), "{self: Object}")
	same(t, pipetest.Get[any](p, "debug-eval", []string{"new Map([[1, {a: 2}]])"}), "Map(1) {1 => {a: 2}}")
	p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 6})
	pipetest.Has(t, p.Fail("debug-eval", []string{"add(1, 2)"}), "paused while it ran", "debug-where")
	same(t, pipetest.Get[any](p, "debug-eval", []string{"a + b"}), 3)
}

func TestScripts(t *testing.T) {
	t.Parallel()
	p := start(t)
	type script struct {
		URL         string
		Line, Lines int
	}
	list := pipetest.Get[[]script](p, "debug-scripts", nil)
	if len(list) != 2 || list[0].Line != 11 || list[1].Lines != 46 {
		t.Errorf("scripts: %+v", list)
	}
	same(t, len(pipetest.Get[[]script](p, "debug-scripts", []string{"DEBUG.JS"})), 1)
	same(t, pipetest.Get[[]script](p, "debug-scripts", []string{"nope"}), []script{})
}
