package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCountOfAGoneRef: no element has the ref of one that is gone. A check that expects an element says that it is
// gone, and one that expects none holds.
func TestCountOfAGoneRef(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTheNextRef is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": "<button>One</button>"})
	p := pipetest.SharedOn(t, site)
	count := func(n int, not bool) pipetest.Object {
		return pipetest.Object{"sel": "e1", "count": n, "not": not}
	}
	pipetest.Steps(p,
		does("snapshot", nil, `~button \"One\" [ref=e1]`),
		does("expect-count", count(1, false), "null"),
		does("expect-count", count(0, true), "null"),
		does("eval", list("void document.querySelector('button').remove()"), "null"),
		does("expect-count", count(0, false), "null"),
		does("expect-count", count(1, true), "null"),
	)
	for _, expected := range []pipetest.Object{count(1, false), count(0, true)} {
		p.Complains("ref e1 is stale: its element is gone", "expect-count", expected, "timeout", 0.5)
	}
}
