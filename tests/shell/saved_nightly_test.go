//go:build evidence && unix

package shell

import (
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Names are checked, folders stay closed to tools, and what is missing is an error before a
// browser starts.
func TestSavedNames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, kept := newKeeper(t)
	folder := filepath.Join(filepath.Dir(filepath.Dir(kept)), "saved")
	d.ok("pwpipe open -q $SITE/form")
	for _, name := range []string{"../shop", "/tmp/shop", "a/b", "", ".", "..", ".shop", `a\b`, "sh op", "sh:op", strings.Repeat("a", 65), "shop\nx"} {
		pipetest.Has(t, d.fails(2, `pwpipe state-save -- "`+name+`"`), "name: expected up to 64")
		pipetest.Has(t, d.fails(2, `</dev/null pwpipe --state="`+name+`x/y"`), "name: expected up to 64")
	}
	pipetest.Has(t, d.fails(2, "pwpipe state-save '{{SHOP}}'"), "expected up to 64")
	d.ok("pwpipe state-save shop; pwpipe state-save shop; pwpipe state-save other")
	pipetest.Has(t, d.fails(1, "pwpipe load-state "+folder+"/shop.json"), folder)
	pipetest.Has(t, d.fails(2, "</dev/null pwpipe --state none"), "no state is saved as none", "state-list")
	pipetest.Has(t, d.fails(1, "pwpipe close; pwpipe open --state none"), "no state is saved as none")
	pipetest.Has(t, d.fails(2, "</dev/null pwpipe --state shop --user-data-dir d"), "--state begins in a context of its own")
	d.ok("echo '{\"state\": \"shop\"}' >pwpipe.json")
	pipetest.Has(t, d.fails(2, "</dev/null pwpipe"), "a project's file may not")
	d.ok("rm pwpipe.json; pwpipe open -q --persist -s shop 2>/dev/null; pwpipe close shop")
	pipetest.Has(t, d.ok("pwpipe state-list"), "saved/shop   saved ", "saved/other  saved ", "\nshop ")
	pipetest.Has(t, d.fails(1, "pwpipe state-show shop"), "a saved state and a session", "saved/shop", "service/shop")
	pipetest.Has(t, d.fails(1, "pwpipe state-delete shop"), "a saved state and a session")
	d.ok("pwpipe state-show saved/shop; pwpipe state-show other; pwpipe state-delete service/shop; pwpipe state-delete shop; pwpipe state-delete saved/other")
	if got := d.ok("ls -A " + folder + "; pwpipe state-list"); got != "" {
		t.Errorf("left: %s", got)
	}
}
