package endpoint_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

const someCategories = "-*,devtools.timeline,blink.user_timing,loading,__metadata"

// traced returns the JSON of a trace that a client records in a CDP session ("" for the
// browser's) and reads by a stream.
func (c *raw) traced(in string, does func()) string {
	c.t.Helper()
	c.get(in, "Tracing.start", map[string]any{"transferMode": "ReturnAsStream", "traceConfig": map[string]any{"includedCategories": strings.Split(someCategories, ",")[1:], "excludedCategories": []string{"*"}}}, &struct{}{})
	does()
	before := len(c.text())
	c.get(in, "Tracing.end", map[string]any{"timeout": 1000}, &struct{}{}) // as Lighthouse sends it
	var handle string
	pipetest.Eventually(c.t, "the trace is complete", func() bool {
		_, rest, _ := strings.Cut(c.text()[before:], "Tracing.tracingComplete")
		_, rest, _ = strings.Cut(rest, `"stream":"`)
		handle, _, _ = strings.Cut(rest, `"`)
		return handle != ""
	})
	var text strings.Builder
	for {
		var got struct {
			Data string
			EOF  bool
		}
		c.get(in, "IO.read", map[string]any{"handle": handle}, &got)
		text.WriteString(got.Data)
		if got.EOF {
			break
		}
	}
	c.get(in, "IO.close", map[string]any{"handle": handle}, &struct{}{})
	c.refused(in, "IO.read", map[string]any{"handle": handle}, "Invalid stream handle")
	return text.String()
}

// If a browser has one session, its clients may trace it and read the trace. Once
// another session starts, they get nothing more.
func TestTracing(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPipe is quick")
	t.Parallel()
	p, _, c, at := onPages(t)
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

// With a browser for each session, each can be traced, and shows nothing of the others.
func TestTracingOfIsolatedSessions(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.InCI(t, "it is long, and TestPipe is quick")
	site := pipetest.ServePages(t, pages)
	service := pipetest.StartService(t, "--isolate=session")
	type client struct {
		*raw
		page string
	}
	var all []client
	for range 2 {
		s := service.Open(nil)
		s.On("page.goto", pipetest.Object{"url": site + "/"})
		var at struct{ URL string }
		s.On("session.cdp", pipetest.Object{"token": true}, &at)
		c := dial(t, at.URL, nil)
		all = append(all, client{c, c.settle().session})
	}
	for i, c := range all {
		pipetest.Eventually(t, "the trace has its session's marks", func() bool {
			got := c.traced("", func() {
				all[1-i].evaluate(all[1-i].page, "performance.mark('of-another')")
				c.evaluate(c.page, "performance.mark('of-its-own')")
			})
			pipetest.Lacks(t, got, "of-another")
			return strings.Contains(got, "of-its-own")
		})
	}
}
