//go:build evidence

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

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
