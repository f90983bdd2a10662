//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A model's nav does not wait for what never comes, and says what that is.
func TestNavIsBrief(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	at, p := unended(t), startAgent(t, "/")
	call := pipetest.OverMCP(p)
	late := "→ still loading: no answer yet from " + at + "/hang"
	pipetest.Has(t, call("nav", pipetest.Object{"url": at + "/frames"}), late+" (a frame)\n"+`- h1 "Frames"`, `button "Press"`)
	pipetest.Has(t, call("nav", pipetest.Object{"url": at + "/script"}), late+"\n- document (still arriving", `button "Early"`)
	pipetest.Has(t, call("nav", pipetest.Object{"url": at + "/inner"}), "ok\n- button \"Inner\"")
}
