package features_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// What doctor says that is of the machine: free space, and how these lines end.
var (
	reFree  = regexp.MustCompile(`, [0-9.]+ [KMGT]?i?B free`)
	reHere  = regexp.MustCompile(`(?m)^(limits|libraries|fonts|keyring) .*(\n .*)?`)
	reSpace = regexp.MustCompile(` {2,}`)
)

// TestDoctorLines: testdata/doctor.txt has the lines of doctor, in their order, where nothing
// is installed.
func TestDoctorLines(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the lines of Linux, where the browser is pinned")
	}
	exe, dir := pipetest.Binary(t), t.TempDir()
	for name, value := range map[string]string{"PATH": dir, "PWPIPE_NODE": "", "PWPIPE_BROWSER": "", "TMPDIR": dir,
		"PWPIPE_CACHE": filepath.Join(dir, "cache")} {
		t.Setenv(name, value)
	}
	cmd := exec.Command(exe, "doctor")
	out, _ := cmd.Output()
	if status := cmd.ProcessState.ExitCode(); status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	text := reFree.ReplaceAllString(strings.ReplaceAll(string(out), dir, "DIR"), "")
	text = reSpace.ReplaceAllString(reHere.ReplaceAllString(text, "$1 ..."), "  ")
	pipetest.Golden(t, "testdata/doctor.txt", text)
}
