//go:build unix

package shell

import (
	"fmt"
	"os"
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
	pipetest.Has(t, got, "cookie who of 127.0.0.1/, ends 20", "local storage who of http://127.0.0.1:", "session storage who of http://127.0.0.1:", "IndexedDB db of http://127.0.0.1:",
		`"localStorage":["who"],"sessionStorage":["who"]`)
	pipetest.Lacks(t, got, "one")
	pipetest.Has(t, d.ok("mkdir away; cd away; echo '{\"timeout\": 9}' >pwpipe.json; pwpipe state-list"), "service/default  saved ", " of other settings")
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

// With a passphrase what is kept is encrypted: in no file is a value or a name. It is read
// with that passphrase alone, and what was kept without one is encrypted by the next save.
func TestStatesEncrypted(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSealed of internal/policy/storagestate is quick")
	t.Parallel()
	d, file := newKeeper(t)
	folder := filepath.Dir(filepath.Dir(file))
	d.ok("pwpipe open -q --persist $SITE/form")
	d.stores("one")
	d.kept(file, `"one"`)
	d.ok("pwpipe close; pwpipe open -q --persist; pwpipe close; echo tea-and-2-scones >$HOME/phrase")
	const opens = "PWPIPE_STATE_PASSPHRASE=tea-and-2-scones pwpipe open --persist $SITE/form"
	_, errs, _ := d.bash(opens)
	pipetest.Has(t, errs, file, "encrypted with your passphrase")
	pipetest.Lacks(t, errs, "not encrypted")
	if got := d.stored(); got != storedOne {
		t.Errorf("what was kept without a passphrase: %s", got)
	}
	for pid := range pipetest.Descendants(t, d.service()) {
		if env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); strings.Contains(string(env), "tea-and") {
			t.Errorf("process %d has the passphrase", pid)
		}
	}
	d.stores("two")
	d.stores("one")
	d.kept(file, "pwpipe state, encrypted")
	d.ok("pwpipe close")
	encrypted := func() {
		t.Helper()
		if got := d.ok("grep -rlaE 'one|two|who|cookies|127.0.0.1' " + folder + " || true"); got != "" {
			t.Errorf("not encrypted: %s", got)
		}
	}
	encrypted()
	before := d.ok("sha256sum " + file)
	pipetest.Has(t, d.fails(1, "pwpipe open --persist $SITE/form"), file, "PWPIPE_STATE_PASSPHRASE")
	pipetest.Has(t, d.fails(1, "PWPIPE_STATE_PASSPHRASE=coffee pwpipe open --persist $SITE/form"), file, "another passphrase")
	pipetest.Has(t, d.fails(1, "pwpipe state-show"), "PWPIPE_STATE_PASSPHRASE")
	if after := d.ok("sha256sum " + file); after != before {
		t.Errorf("%s has become %s", before, after)
	}
	pipetest.Has(t, d.ok("pwpipe state-list; pwpipe state-show --state-passphrase-file $HOME/phrase"), "default  saved ", "cookie who of 127.0.0.1/")
	d.ok(opens + " 2>/dev/null")
	d.stores("two")
	d.kill()
	d.ok(opens + " 2>/dev/null")
	if got := d.stored(); got != storedOne && got != storedTwo {
		t.Errorf("after a kill: %s", got)
	}
	d.stores("one")
	d.stores("two")
	d.ok("pwpipe close")
	encrypted()
	d.ok("pwpipe state-delete")
	encrypted()
}
