//go:build unix

package shell

import (
	"os/exec"
	"testing"

	"pwpipe/internal/pipetest"
)

// Text from elsewhere stays unchanged after --.
func TestTextFromElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHelp is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe open -q $SITE/login; echo key >secret")
	for _, text := range []string{"@secret", "-", "@@ada", "--val=@secret", "--help", "-q", "--json", "--all", "-s", "--"} {
		d.ok("pwpipe fill -q '[name=email]' -- '" + text + "'")
		if got := d.ok("pwpipe value '[name=email]'"); got != text+"\n" {
			t.Errorf("%q became %q", text, got)
		}
	}
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip(err)
	}
	d.ok(`pwpipe eval 'document.querySelector("h1").textContent = "a\x1b]0;b\x07\x9bc"'`)
	if got := d.ok("pwpipe txt h1"); got != "a\x1b]0;b\x07\u009bc\n" {
		t.Errorf("a pipe: %q", got)
	}
	// A new terminal has a session of its own.
	if got := d.ok("script -qec 'pwpipe txt -s default h1' /dev/null </dev/null"); got != `a\x1b]0;b\x07\x9bc`+"\r\n" {
		t.Errorf("a terminal: %q", got)
	}
}
