package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestVersion(t *testing.T) {
	out, err := exec.Command(pipetest.Binary(t), "--version").Output()
	want := regexp.MustCompile(`^pwpipe version \S+( \([0-9a-f]{12}\))?, Playwright 1\.\d+\.\d+, Chromium \d+\.\d+\.\d+\n$`)
	if err != nil || !want.Match(out) {
		t.Errorf("%q %v", out, err)
	}
}

// pwpipe knows how it was installed: from a variable that the launcher sets, or from
// its folder.
func TestUpgrade(t *testing.T) {
	cmd := exec.Command(pipetest.Binary(t), "upgrade")
	cmd.Env = append(cmd.Environ(), "PWPIPE_INSTALLED_BY=npm")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "installed by npm: npm install pwpipe@latest") {
		t.Errorf("%q %v", out, err)
	}
}
