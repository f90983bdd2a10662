//go:build evidence

package main

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHelpOnThePipe: help names the lists, and a tool's parameters.
func TestHelpOnThePipe(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestHelp is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	for about, want := range map[string]string{"": "pwpipe tools", "fill": "fill sel val\n", "batch": "batch steps"} {
		if text := p.Text("help", []any{about}); !strings.Contains(text, want) {
			t.Errorf("help %q: %s", about, text)
		}
	}
	if e := p.Fail("help", []any{"fil"}); !strings.Contains(e, "did you mean fill") {
		t.Error(e)
	}
	if e := p.Fail("navigate", []any{"/"}); e != "unknown method: navigate; did you mean nav?" {
		t.Error(e)
	}
}
