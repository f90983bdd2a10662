package main

import (
	"os/exec"
	"path/filepath"
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

// A build without a checkout, as the container image's, says the version and the commit that it was
// given. The Dockerfile gives them the same names.
func TestVersionOfBuild(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVersion is quick")
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "pwpipe")
	flags := "-X main.version=1.2.3 -X main.commit=0123456789abcdef0123456789abcdef01234567"
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", flags, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(binary, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "pwpipe version 1.2.3 (0123456789ab), Playwright ") {
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
