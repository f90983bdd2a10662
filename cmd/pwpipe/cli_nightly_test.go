//go:build evidence

package main

import (
	"os"
	"os/exec"
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

// TestFlagsFromEnvironment: PWPIPE_ variables set flags. Given flags win.
func TestFlagsFromEnvironment(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestEnvironment is quick")
	t.Parallel()
	run := func(args ...string) string {
		cmd := exec.Command(pipetest.Binary(t), args...)
		cmd.Env = append(os.Environ(), "PWPIPE_BASE_URL="+pipetest.Site(t), "PWPIPE_TIMEOUT=0.3", "PWPIPE_STRICT=true")
		cmd.Stdin = strings.NewReader(`{"id":1,"method":"nav","params":["/login"],"timeout":20}
{"id":2,"method":"txt","params":["#nope"]}
{"id":3,"method":"url"}
`)
		out, _ := cmd.Output()
		return string(out)
	}
	if got := run(); !strings.Contains(got, "after 0.3 s") || strings.Contains(got, `"id":3`) {
		t.Errorf("from the environment: %s", got)
	}
	if got := run("--strict=false"); !strings.Contains(got, `"id":3`) {
		t.Errorf("the flag does not win: %s", got)
	}
	cmd := exec.Command(pipetest.Binary(t))
	cmd.Env = append(os.Environ(), "PWPIPE_TIMEOUT=soon")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), `PWPIPE_TIMEOUT: expected a number such as 30, got "soon"`) {
		t.Errorf("got %s", out)
	}
}
