//go:build evidence

package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/machine/tricks"
	"pwpipe/internal/pipetest"
)

// TestTricksOff: requests have the same replies with each device of docs/tricks.md
// switched off, and with all of them.
func TestTricksOff(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTranscripts is quick")
	t.Parallel()
	text, err := os.ReadFile("../../fixtures/login.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	requests := strings.Split(strings.TrimSpace(string(text)), "\n")
	var want []string
	sets := map[string][]string{"none": nil, "all": switches}
	for _, s := range switches {
		sets[s] = []string{s}
	}
	for name, off := range sets {
		cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t), "--log-level", "debug")
		cmd.Env = os.Environ()
		for _, s := range off {
			cmd.Env = append(cmd.Env, "PWPIPE_NO_"+s+"=1")
		}
		p := pipetest.StartCmd(t, cmd)
		var got []string
		for _, r := range requests {
			p.Send(r)
			got = append(got, regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(p.Line(), "SITE"))
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) || !strings.Contains(strings.Join(got, ""), "Welcome, ada@mail.example") {
			t.Errorf("without %s: %q, expected %q", name, got, want)
		}
		if slices.Contains(off, tricks.EarlyBrowser) {
			pipetest.Lacks(t, p.Stderr(), "early browser started")
		}
	}
}
