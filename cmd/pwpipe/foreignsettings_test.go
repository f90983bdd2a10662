//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestForeignSettings: another user's file of settings stops no command below its folder, and says
// that it is not taken. The next one up holds.
func TestForeignSettings(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of other users")
	}
	dir := t.TempDir()
	between, work := filepath.Join(dir, "a"), filepath.Join(dir, "a", "b")
	writeFile(t, filepath.Join(dir, "pwpipe.json"), `{"timeout": 17}`)
	writeFile(t, filepath.Join(between, "pwpipe.json"), `{"no such": "setting"}`)
	writeFile(t, filepath.Join(work, "own"), "")
	if err := os.Lchown(filepath.Join(between, "pwpipe.json"), 54321, 54321); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(pipetest.Binary(t), "config", "pipe")
	cmd.Dir = work
	out, err := cmd.CombinedOutput()
	said := strings.Count(string(out), "it is another user's file, so its settings are not taken")
	if err != nil || said != 1 || !strings.Contains(string(out), filepath.Join(dir, "pwpipe.json")) {
		t.Errorf("%v: %s", err, out)
	}
}
