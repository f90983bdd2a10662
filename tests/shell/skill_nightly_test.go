//go:build evidence && unix

package shell

import (
	"testing"

	"pwpipe/internal/pipetest"
)

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
