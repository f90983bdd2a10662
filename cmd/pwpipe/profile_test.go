package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRelativeProfile: --user-data-dir is relative to pwpipe's working directory.
func TestRelativeProfile(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(pipetest.Binary(t), "--user-data-dir", "profile")
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(`{"id":1,"method":"eval","params":["1 + 1"]}`)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `{"id":1,"result":2}`) {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(cmd.Dir, "profile", "Default")); err != nil {
		t.Error(err)
	}
}
