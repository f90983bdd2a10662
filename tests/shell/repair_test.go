//go:build evidence && unix

package shell

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRunRepair: a script that runs in an open session is repaired, and updated.
func TestRunRepair(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRun is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok(`pwpipe open -q $SITE/form; pwpipe log-start flow.ndjson
pwpipe click -q --timeout 5 '#count'; pwpipe call batch '{"steps":"click #count\nexpect-text #counter 2","timeout":8}'; pwpipe log-stop`)
	renamed := `pwpipe eval -q "document.querySelector('#count').id = 'c1'"; `
	if out, _, status := d.bash(renamed + `pwpipe run -s default flow.ndjson`); status != 1 {
		t.Fatalf("without repair: %d, %s", status, out)
	}
	d.ok("pwpipe reload -q")
	out := d.ok(renamed + "pwpipe run -s default --repair --update flow.ndjson")
	now := `sel "#count" is now "role=button[name=\"Count\"]"`
	pipetest.Has(t, out, "repaired: "+now, "repaired: step 1, "+now, "lines updated: 2")
	d.ok("pwpipe reload -q")
	pipetest.Has(t, d.ok(renamed+"pwpipe run -s default flow.ndjson"), "2 of 2 steps passed")
	d.ok(`pwpipe reload -q; pwpipe eval -q "document.querySelector('#count').after(document.querySelector('#count').cloneNode(true))"`)
	out, _, status := d.bash("pwpipe run -s default --repair flow.ndjson")
	if status != 1 {
		t.Errorf("two alike: status %d", status)
	}
	pipetest.Has(t, out, "more than one element is like it")
	if got := d.ok("pwpipe txt '#counter'"); got != "0\n" {
		t.Errorf("pressed in doubt: %s", got)
	}
}
