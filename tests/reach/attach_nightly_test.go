//go:build evidence

package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A Playwright server works as well as a browser of our own.
func TestPlaywrightServer(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	p := pipetest.Start(t, "--ws", startServer(t), "--base-url", site)
	p.Call("nav", []any{"/form"})
	if got := p.Text("txt", []any{"h1"}); got != "Form" {
		t.Error(got)
	}
	p.Call("copy", []any{"over the wire"})
	if got := p.Text("clip", nil); got != "over the wire" {
		t.Error(got)
	}
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
}
