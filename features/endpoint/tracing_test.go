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

// With a browser for each session, each can be traced, and shows nothing of the others.
func TestTracingOfIsolatedSessions(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPipe is quick")
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
