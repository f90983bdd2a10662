package main

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestConfigLeftOut: config shows the settings of a program that is there. Without shell commands
// that is the pipe, and what only their service takes is not shown.
func TestConfigLeftOut(t *testing.T) {
	out, errs, status := pipetest.Run(t, "", "config", "--without", "shell")
	if status != 0 || !strings.Contains(out, "base-url") || strings.Contains(out, "persist") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	for _, words := range [][]string{{"config", "shell", "--without", "shell"}, {"config", "serve", "--without", "service"}} {
		_, errs, status = pipetest.Run(t, "", words...)
		if status != 2 || !strings.Contains(errs, "left out of this run: "+words[3]) {
			t.Errorf("%s: %d %s", words, status, errs)
		}
	}
	_, errs, status = pipetest.Run(t, "", "config", "pips")
	if status != 2 || !strings.Contains(errs, "expected shell, pipe, serve or run") {
		t.Errorf("%d %s", status, errs)
	}
	// A command that asks for the settings of shell commands has none then.
	t.Setenv("PWPIPE_WITHOUT", "shell")
	_, errs, status = pipetest.Run(t, "", "state-show", "no-such-state")
	if status == 0 || strings.Contains(errs, "panic") || !strings.Contains(errs, "no-such-state") {
		t.Errorf("%d %s", status, errs)
	}
}
