//go:build unix

package shell

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The skill is written where each agent looks for it, and never over a changed file.
func TestSkill(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for agent, path := range map[string]string{"claude": ".claude/skills", "codex": ".agents/skills", "cursor": ".cursor/skills"} {
		path += "/pwpipe/SKILL.md"
		if got := d.ok("pwpipe skill install --for " + agent); got != path+"\n" {
			t.Errorf("%s: %s", agent, got)
		}
		d.ok("pwpipe skill install --for " + agent + " && pwpipe skill | cmp - " + path)
		d.ok("sed -i s/browser/BROWSER/ " + path)
		pipetest.Has(t, d.fails(2, "pwpipe skill install --for "+agent), path, "was changed")
		d.ok("grep -q BROWSER " + path)
	}
	pipetest.Has(t, d.fails(2, "pwpipe skill install --for clod"), "expected claude, codex or cursor")
	d.ok("pwpipe skill install --user && test -f ~/.claude/skills/pwpipe/SKILL.md")
}
