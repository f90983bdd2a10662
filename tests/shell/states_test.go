//go:build unix

package shell

import (
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Kept state can be listed, inspected without its values, and deleted.
func TestStates(t *testing.T) {
	t.Parallel()
	d, file := newKeeper(t)
	pipetest.Has(t, d.fails(3, "pwpipe state-show"), "nothing is kept of session default")
	if got := d.ok("pwpipe state-list; pwpipe state-list --json"); got != "[]\n" {
		t.Errorf("nothing is kept: %q", got)
	}
	d.ok("pwpipe open -q --persist $SITE/form")
	d.stores("one")
	d.kept(file, `"one"`)
	pipetest.Has(t, d.fails(1, "pwpipe state-delete"), "session default is open", "pwpipe close default")
	d.ok("pwpipe close; pwpipe open -q -s other --persist; pwpipe close other")
	list := d.ok("pwpipe state-list")
	pipetest.Has(t, list, "default  saved ", "other    saved ")
	got := d.ok("pwpipe state-show; pwpipe state-show --json default")
	pipetest.Has(t, got, "cookie who of 127.0.0.1/, ends 20", "local storage who of http://127.0.0.1:", "IndexedDB db of http://127.0.0.1:",
		`"localStorage":["who"]`)
	pipetest.Lacks(t, got, "one")
	pipetest.Has(t, d.ok("mkdir away; cd away; echo '{\"timeout\": 9}' >pwpipe.json; pwpipe state-list"), "of other settings (service)")
	d.fails(3, "cd away; pwpipe state-delete") // has another default session
	d.ok("touch " + file + ".1 " + file + ".new-1; pwpipe state-delete default")
	left, err := filepath.Glob(file + "*")
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if got := d.ok("pwpipe state-list"); strings.Contains(got, "default") || !strings.Contains(got, "other") {
		t.Errorf("after one was deleted: %s", got)
	}
	d.ok("pwpipe open -q --persist $SITE/form")
	if got := d.stored(); got != storedNothing {
		t.Errorf("after it was forgotten: %s", got)
	}
	d.fails(3, "pwpipe state-delete ../service/other")
}
