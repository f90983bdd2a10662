//go:build evidence

package devtools_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestReturnValueIsShown(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSteps is quick")
	t.Parallel()
	p := start(t)
	breakAt(p, 6, "#total")
	w := pipetest.Get[where](p, "debug-step", []string{"over"})
	same(t, []any{w.Line, w.Returns}, []any{7, 4})
}

func TestBreakpointsHoldAcrossNavigation(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBreakpointIsHitAndVariablesAreSeen is quick")
	t.Parallel()
	p := start(t)
	p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 23})
	p.Call("nav", []string{"/form"})
	if b := pipetest.Get[[]breakpoint](p, "debug-breaks", nil)[0]; !b.Pending {
		t.Errorf("its script is gone: %+v", b)
	}
	pipetest.Has(t, p.Call("debug-scripts", nil), "form.js")
	pipetest.Lacks(t, p.Call("debug-scripts", nil), "debug.js")
	p.Call("nav", []string{"/debug"})
	pipetest.Has(t, p.Fail("click", []string{"#total"}), "in onTotal")
	p.Call("debug-resume", nil)
	// Another site has its own process.
	p.Call("nav", []string{strings.Replace(p.Text("url", nil), "127.0.0.1", "localhost", 1)})
	pipetest.Has(t, p.Fail("click", []string{"#total"}), "in onTotal")
	pipetest.Has(t, pipetest.Get[where](p, "debug-where", nil).URL, "localhost")
}

func TestStepsSkipBlackboxedScripts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSteps is quick")
	t.Parallel()
	p := start(t)
	p.Call("click", []string{"#load"})
	p.Call("wait", []string{"text=loaded: more"})
	p.Call("debug-blackbox", pipetest.Object{"patterns": []string{`debug\.js`}})
	p.Call("debug-break", pipetest.Object{"file": "debug-more.js", "line": 4})
	p.Try("click", []string{"#load"})
	p.Call("debug-wait", nil)
	// show is in debug.js: a step into it stops after it.
	same(t, pipetest.Get[where](p, "debug-step", []string{"into"}).place(), `["arrived",5]`)
}
