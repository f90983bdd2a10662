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

// What the skill says about waiting, logs and sign-ins is true.
func TestSkillTrue(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSkill is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("echo PASSWORD=secret >~/s.env")
	d.variables = append(d.variables, "PWPIPE_SECRETS="+d.ok("echo -n ~/s.env"))
	d.ok(`pwpipe open $SITE/login -q
pwpipe fill label=E-mail ada@mail.example
pwpipe fill label=Password '{{PASSWORD}}'`)
	if got := d.ok("pwpipe value label=Password"); got == "secret\n" {
		t.Errorf("the password is shown: %s", got)
	}
	d.ok("pwpipe click 'role=button[name=\"Sign in\"]'; pwpipe wait .dashboard; pwpipe wait-text h1 ada; " +
		"pwpipe expect-url /dashboard --mode contains")
	d.ok("pwpipe save-state login.json >/dev/null; pwpipe close; pwpipe open -q; pwpipe load-state login.json")
	pipetest.Has(t, d.ok("pwpipe goto $SITE/dashboard"), "Welcome, ada")
	d.ok("pwpipe eval 'console.error(\"broken thing\")'")
	pipetest.Has(t, d.ok("pwpipe logs.pull"), "broken thing")
	pipetest.Has(t, d.ok("pwpipe requests --last 3"), "/dashboard")
	pipetest.Has(t, d.ok("pwpipe snapshot --diff"), "no change")
	pipetest.Has(t, d.ok("pwpipe search 'Welcome'"), "Welcome")
	d.ok("echo 'await page.title()' >script.js")
	pipetest.Has(t, d.ok("pwpipe execute @script.js"), "Dashboard")
}
