//go:build evidence

package install_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHosts installs the plugins at the top of the repository in the hosts that npm has, without a
// log-in, as their users would from a checkout. Each host has its own HOME.
func TestHosts(t *testing.T) {
	checkout := t.TempDir()
	if out, err := exec.Command("git", "-C", "../..", "checkout-index", "--all", "--prefix="+checkout+"/").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const pwpipe = "pwpipe@pwpipe"
	for name, host := range map[string]struct {
		pkg, program string
		commands     [][]string
		says         []string // of all that it prints
		skill        string   // where the skill lies then, below HOME
	}{
		"Claude Code": {"@anthropic-ai/claude-code@2.1.332", "@anthropic-ai/claude-code-*/claude", // a script of the package would put it elsewhere
			[][]string{{"plugin", "validate", checkout}, {"plugin", "marketplace", "add", checkout}, {"plugin", "install", pwpipe}, {"plugin", "list"}},
			[]string{"Validation passed", "mcpServers: pwpipe", "skills: pwpipe:pwpipe", "enabled"}, ""},
		"Codex": {"@openai/codex@0.171.0", ".bin/codex",
			[][]string{{"plugin", "marketplace", "add", checkout}, {"plugin", "add", pwpipe}, {"plugin", "list"}, {"mcp", "list"}},
			[]string{"installed, enabled", "-y pwpipe --profile agent"}, ".codex/plugins/cache/pwpipe/pwpipe/*/skills/pwpipe/SKILL.md"},
		"Gemini": {"@google/gemini-cli@0.61.0", ".bin/gemini",
			[][]string{{"extensions", "validate", checkout}, {"extensions", "install", checkout, "--consent"}, {"extensions", "list"}},
			[]string{"successfully validated", "installed successfully", "MCP servers:\n  pwpipe", "Agent skills:\n  pwpipe:"}, ".gemini/extensions/pwpipe/skills/pwpipe/SKILL.md"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			programs, _ := filepath.Glob(filepath.Join(pipetest.NPM(t, host.pkg), host.program))
			if len(programs) != 1 {
				t.Skipf("npm brings %q for this system", programs)
			}
			var said strings.Builder
			for _, words := range host.commands {
				cmd := exec.Command(programs[0], words...)
				cmd.Dir, cmd.Stdin = home, strings.NewReader("y\n") // Gemini asks whether the folder is trusted
				cmd.Env = append(os.Environ(), "HOME="+home, "NO_COLOR=1")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s %v: %v: %s", host.program, words, err, out)
				}
				said.Write(out)
			}
			pipetest.Has(t, said.String(), host.says...)
			if found, _ := filepath.Glob(filepath.Join(home, host.skill)); len(found) != 1 {
				t.Errorf("no skill at %s", host.skill)
			}
		})
	}
}
