//go:build evidence && unix

package shell

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Screenshots without a file name are removed with their session.
func TestPicturesEnd(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.variables = append(d.variables, "TMPDIR="+d.run)
	d.ok("pwpipe open -q $SITE/form; pwpipe -s other open -q")
	one, other := strings.TrimSpace(d.ok("pwpipe screenshot")), strings.TrimSpace(d.ok("pwpipe -s other screenshot"))
	name := func(shown string) string { return shown[strings.LastIndex(shown, "\n")+1:] }
	d.ok("test -s " + name(one) + " && test -s " + name(other) + " && pwpipe close")
	d.ok("test ! -e " + name(one) + " && test -s " + name(other))
	pid := d.service()
	d.ok("pwpipe close other")
	d.gone(pid)
	d.ok("test ! -e $(dirname " + name(other) + ")")
}
