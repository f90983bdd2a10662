//go:build evidence

package endpoint_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// If a browser has one session, its clients may trace it and read the trace. Once
// another session starts, they get nothing more.
func TestTracing(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPipe is quick")
	t.Parallel()
	p := pipetest.Start(t)
	_, c, at := onPages(t, p)
	mark := func(name string) func() { return func() { c.evaluate(at.session, "performance.mark('"+name+"')") } }
	for _, in := range []string{"", at.session} {
		pipetest.Eventually(t, "the trace has the mark", func() bool {
			got := c.traced(in, mark("marked"))
			pipetest.Has(t, got, "traceEvents")
			return strings.Contains(got, "marked")
		})
	}

	pipetest.Eventually(t, "the trace is told", func() bool { // a busy renderer may start tracing late
		before := len(c.text())
		c.get(at.session, "Tracing.start", map[string]any{"categories": someCategories}, &struct{}{})
		mark("told")()
		c.get(at.session, "Tracing.end", nil, &struct{}{})
		pipetest.Eventually(t, "it ends", func() bool { return strings.Contains(c.text()[before:], "Tracing.tracingComplete") })
		return strings.Contains(c.text()[before:], `"name":"told"`) && strings.Contains(c.text()[before:], "Tracing.dataCollected")
	})

	for _, params := range []map[string]any{{"streamFormat": "proto"}, {"tracingBackend": "system"}, {"perfettoConfig": "CAE="}, {"traceConfig": map[string]any{"enableSystrace": true}},
		{"traceConfig": map[string]any{"memoryDumpConfig": map[string]any{}}}, {"TraceConfig": map[string]any{}}} {
		if r := c.ask(at.session, "Tracing.start", params); r.Error == nil {
			t.Errorf("%v: %s", params, r.Result)
		}
	}

	before := len(c.text())
	c.get("", "Tracing.start", map[string]any{"categories": someCategories}, &struct{}{})
	p.Call("session.create", nil)
	mark("late")()
	c.get("", "Tracing.end", nil, &struct{}{})
	pipetest.Eventually(t, "the trace has ended", func() bool { return strings.Contains(c.text()[before:], `"dataLossOccurred":true`) })
	if strings.Contains(c.text()[before:], "Tracing.dataCollected") {
		t.Error("the client gets a trace of a browser that others use")
	}
	c.refused("", "Tracing.start", map[string]any{}, "one session only")
}
