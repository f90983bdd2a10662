//go:build unix

package shell

import (
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// A state that was saved under a name is there before the first page of a shell's session, of a
// pipe, of a script and of an MCP server.
func TestSaved(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, kept := newKeeper(t)
	folder := filepath.Join(filepath.Dir(filepath.Dir(kept)), "saved")
	d.ok("pwpipe open -q $SITE/form")
	d.stores("one")
	got := d.ok("pwpipe state-save shop")
	pipetest.Has(t, got, `"state":"shop"`, `"cookies":1`, `"origins":1`, "not encrypted; only you can read the file")
	if got := d.ok("stat -c %a " + folder + " " + folder + "/shop.json"); got != "700\n600\n" {
		t.Errorf("modes: %s", got)
	}
	d.stores("two")
	pipetest.Has(t, d.fails(2, "pwpipe open --state shop"), "open already, and did not begin with state shop")
	d.ok("pwpipe close; pwpipe open -q --state shop $SITE/form; pwpipe open -q --state=shop")
	if got := d.stored(); got != storedOne {
		t.Errorf("in a session: %s", got)
	}
	// What such a session does is its own, unless it is kept or saved again.
	d.stores("two")
	d.ok("pwpipe close; pwpipe open -q -s second --state shop $SITE/form; pwpipe close second")
	d.ok("pwpipe open -q --state shop --persist $SITE/form 2>/dev/null")
	d.stores("two")
	d.ok("pwpipe close; pwpipe open -q --persist $SITE/form 2>/dev/null")
	if got := d.stored(); got != storedTwo {
		t.Errorf("kept: %s", got)
	}
	d.ok("pwpipe state-save shop; pwpipe close; mkdir away; cd away; echo '{\"timeout\": 9}' >pwpipe.json; pwpipe open -q --state shop $SITE/form")
	if got := d.ok("cd away; pwpipe eval 'localStorage.who'; pwpipe close"); got != "two\n" {
		t.Errorf("with other settings: %q", got)
	}
	const reads = `echo '{"id":1,"method":"nav","params":["/form"]}
{"id":2,"method":"eval","params":["document.cookie + localStorage.who + sessionStorage.who"]}' `
	for _, c := range []string{"pwpipe --base-url $SITE --state shop", "PWPIPE_STATE=shop pwpipe mcp --headless --base-url $SITE"} {
		pipetest.Has(t, d.ok(reads+"| "+c), `"result":"who=twotwotwo"`)
	}
	d.ok(reads + `>steps.ndjson; echo '{"method":"eval","params":["document.title = localStorage.who"]}
{"method":"expect-title","params":["two"]}' >>steps.ndjson; pwpipe run --quiet --base-url $SITE --state shop steps.ndjson`)
}

// With a passphrase what is saved is encrypted, for a pipe too, and no other process has it.
func TestSavedEncrypted(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSealed of internal/policy/storagestate is quick")
	t.Parallel()
	d, kept := newKeeper(t)
	folder := filepath.Join(filepath.Dir(filepath.Dir(kept)), "saved")
	const saves = `echo '{"id":1,"method":"nav","params":["/form"]}
{"id":2,"method":"eval","params":["document.cookie = \"who=tea; max-age=99\"; localStorage.who = \"tea\""]}
{"id":3,"method":"state-save","params":["shop"]}' | `
	d.ok("echo mint-and-2-scones >$HOME/phrase")
	got := d.ok(saves + "pwpipe --base-url $SITE --state-passphrase-file $HOME/phrase")
	pipetest.Has(t, got, `"kept":"encrypted with your passphrase"`)
	if got := d.ok("grep -rlaE 'tea|who|cookies|127.0.0.1' " + folder + " || true"); got != "" {
		t.Errorf("not encrypted: %s", got)
	}
	pipetest.Has(t, d.fails(2, "</dev/null pwpipe --state shop"), "PWPIPE_STATE_PASSPHRASE")
	pipetest.Has(t, d.fails(2, "</dev/null PWPIPE_STATE_PASSPHRASE=x pwpipe --state shop"), "another passphrase")
	pipetest.Has(t, d.ok("PWPIPE_STATE_PASSPHRASE=mint-and-2-scones pwpipe open --state shop $SITE/form -q; pwpipe eval document.cookie"), "who=tea")
	pipetest.Has(t, d.ok("PWPIPE_STATE_PASSPHRASE=mint-and-2-scones pwpipe state-show shop"), "cookie who of 127.0.0.1/, ends 20", "local storage who")
}
