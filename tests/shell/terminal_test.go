//go:build evidence && unix

package shell

import (
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Commands work from /bin/sh, with and without a terminal, with an empty HOME or none.
func TestTerminal(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip(err)
	}
	d := newDesk(t, "SITE="+pipetest.Site(t))
	sh := func(line string) string { return "/bin/sh -c '" + line + "'" }
	tty := func(line string) string { return "script -qec '" + line + "' /dev/null </dev/null" }
	for name, in := range map[string]func(string) string{"sh": sh, "tty": tty} {
		d.variables = append(d.variables, "PWPIPE_SESSION="+name)
		pipetest.Has(t, d.ok(in("pwpipe open $SITE/login")), `h1 "Sign in"`, "[ref=e")
		d.ok(in("pwpipe fill -q label=E-mail ada@mail.example"))
		if got := d.ok(in("pwpipe value label=E-mail")); strings.TrimSpace(got) != "ada@mail.example" {
			t.Errorf("%s: %q", name, got)
		}
		for command, want := range map[string]int{"pwpipe txt '#nope' --timeout 0.3": 1, "pwpipe txt": 2, "pwpipe -s none title": 3} {
			out, errs, status := d.bash(in(strings.ReplaceAll(command, "'", `"`)))
			if status != want || strings.Count(out+errs, "\n") != 1 || !strings.Contains(out+errs, "pwpipe: ") {
				t.Errorf("%s: %s: status %d, want %d; %q, %q", name, command, status, want, out, errs)
			}
		}
		if got := d.ok(in("pwpipe snapshot") + " | cat -v"); strings.Contains(strings.ReplaceAll(got, "M-", ""), "^[") {
			t.Errorf("%s: colours: %q", name, got)
		}
		d.ok(in("pwpipe close"))
	}
	d.ok("env -u HOME pwpipe open -q && env -u HOME pwpipe title && env -u HOME pwpipe close")
	d.fails(1, "env -u HOME -u XDG_STATE_HOME pwpipe open --persist")
}
