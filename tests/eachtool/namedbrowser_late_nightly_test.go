//go:build evidence

package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestBrowserToolNothingComes: the same for whatever else a page waits for, and each way to wait.
func TestBrowserToolNothingComes(t *testing.T) {
	pipetest.Nightly(t, "it waits for what never comes, and the transcript browser-page is quick")
	t.Parallel()
	b, at := startBrowserTool(t), neverComes(t)
	b.done(t, 1, pipetest.Object{"action": "launch"})
	for page, want := range map[string]string{
		"/frame":  "no answer yet from " + at + "/never (a frame))",
		"/script": "no answer yet from " + at + "/never)",
		"/sheet":  "no answer yet from " + at + "/never)",
		"/font":   "no answer yet from " + at + "/never)",
		"/stream": "not all of it has come from " + at + "/stream)",
		"/cut":    "at " + at + "/cut",
	} {
		pipetest.Has(t, b.arrives(t, at+page, pipetest.Object{"wait_condition": "timeout", "timeout": 0}), want)
	}
	for _, page := range []string{"/frame", "/script", "/stream"} {
		got := b.arrives(t, at+page, pipetest.Object{"timeout": 10, "content_mode": "html"})
		pipetest.Has(t, got, "at "+at+page+" (still loading: ", "(the network was still busy after 10 s)")
	}
	b.refused(t, "the server has not answered yet", pipetest.Object{"action": "navigate", "url": at + "/never", "timeout": 1})
	pipetest.Has(t, b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"}).Stdout, "at "+b.site+"/form")
}
