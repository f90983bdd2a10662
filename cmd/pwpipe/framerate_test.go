package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFrameRate: only a browser with unlimited frames gets the switches.
func TestFrameRate(t *testing.T) {
	pipetest.InCI(t, "TestFlagsFromEnvironment covers its core")
	t.Parallel()
	for rate, want := range map[string]bool{"unlimited": true, "screen": false} {
		p := pipetest.Start(t, "--frame-rate", rate)
		p.Call("nav", []string{"about:blank"})
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.Browser()))
		if err != nil {
			t.Skip("needs /proc")
		}
		for _, with := range []string{"--disable-frame-rate-limit", "--run-all-compositor-stages-before-draw"} {
			if strings.Contains(string(command), with) != want {
				t.Errorf("%s: %s is there: %v", rate, with, !want)
			}
		}
		p.Close() // unlimited frames keep a core busy
	}
}

// TestFrameRateRefused: every command that drives a browser refuses invalid
// combinations before it starts anything.
func TestFrameRateRefused(t *testing.T) {
	pipetest.SkipUnderRace(t)
	t.Parallel()
	for args, want := range map[string]string{
		"--frame-rate 120":                                     `--frame-rate: expected screen or unlimited, got "120"`,
		"serve --frame-rate unlimitd":                          "did you mean unlimited?",
		"run x.ndjson --frame-rate fast":                       "expected screen or unlimited",
		"--frame-rate unlimited --browser firefox":             "belongs to a Chromium that pwpipe starts",
		"--frame-rate unlimited --cdp http://127.0.0.1:9":      "belongs to a Chromium that pwpipe starts",
		"serve --frame-rate unlimited --ws ws://127.0.0.1:9/x": "belongs to a Chromium that pwpipe starts",
	} {
		stdout, stderr, status := pipetest.Run(t, "", strings.Fields(args)...)
		if status == 0 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("pwpipe %s: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}
