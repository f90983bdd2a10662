//go:build evidence && unix

package shell

import (
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// A folder without tool calls is not taken over: asking about sessions, or an invalid
// command line, does not count.
func TestFolderOfTools(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestFolder is quick")
	t.Parallel()
	d := newDesk(t)
	other := filepath.Join(d.run, "elsewhere") // not in TMPDIR
	d.ok("mkdir $XDG_RUNTIME_DIR/elsewhere $XDG_RUNTIME_DIR/tmp")
	d.variables = append(d.variables, "TMPDIR="+filepath.Join(d.run, "tmp"))
	d.ok("pwpipe open -q; cd " + other + " && pwpipe sessions >/dev/null && pwpipe show --print >/dev/null")
	d.fails(2, "cd "+other+" && pwpipe txt --nope")
	d.fails(3, "cd "+other+" && pwpipe close nope")
	pipetest.Has(t, d.fails(1, "pwpipe shot "+other+"/a.png"), "a.png")
	d.ok("cd " + other + " && pwpipe shot a.png && pwpipe shot " + other + "/b.png")
}
