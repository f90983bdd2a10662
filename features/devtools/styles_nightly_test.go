//go:build evidence

package devtools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestStylesThatAreAskedFor(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStylesOfAnElement is quick")
	t.Parallel()
	p := start(t)
	s := p.Text("styles", pipetest.Object{"sel": "#note em", "computed": []string{"display", "color"}, "all": true})
	pipetest.Has(t, s, "em  (user agent)", "inherited from p#note.note", "--lamp: #e0a100")
	same(t, part(t, s, "computed", "never"), "\n  color: rgb(0, 90, 0)\n  display: inline")
	pipetest.Has(t, p.Fail("styles", pipetest.Object{"sel": "#note", "computed": []string{"colr"}}), `no property "colr"`)
	p.Complains("#nope", "styles", []string{"#nope"}, "timeout", 2)
	leaks := p.Call("eval", []string{"Object.getOwnPropertyNames(window).filter(n => n.startsWith('pwpipe')).concat([...document.querySelectorAll('pwpipe-defaults')])"})
	same(t, leaks, "[]")
}

// TestStylesFollowEdits: lines and values are the live page's.
func TestStylesFollowEdits(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStylesheetsAreEditedLive is quick")
	t.Parallel()
	p := start(t)
	p.Call("code-edit", pipetest.Object{"url": "debug.css", "old": "p { color: rgb(90, 90, 90); }", "new": "\n\np { color: rgb(91, 91, 91); }"})
	pipetest.Has(t, p.Text("styles", []string{"#note"}), "p  (debug.css:9)\n  color: rgb(91, 91, 91);", "#note  (debug.css:15)")
}
