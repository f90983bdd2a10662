//go:build evidence && unix

package shell

import (
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// A folder with other settings has its own service. What its walls keep out can't be reached
// through a session of a folder without walls.
func TestSettingsApart(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestSettingsWalls is quick")
	t.Parallel()
	site := pipetest.Site(t)
	d := newDesk(t, "SITE="+site)
	d.ok(`pwpipe open -q $SITE/form; mkdir walled; echo '{"allowed-domains": ["p.example"]}' >walled/pwpipe.json`)
	pipetest.Has(t, d.fails(3, "cd walled; pwpipe title"), "nothing is running")
	pipetest.Has(t, d.fails(1, "cd walled; pwpipe open $SITE/form"), "blocked")
	pipetest.Has(t, d.ok("pwpipe sessions"), "of other settings", site+"/form")
	for _, variables := range []string{"ALLOWED_DOMAINS=p.example", "ALLOWED_DOMAINS=", "PWPIPE_ALLOWED_DOMAINS=",
		"BLOCKED_DOMAINS=p.example", "PWPIPE_ALLOW_DIR=."} {
		pipetest.Has(t, d.fails(3, variables+" pwpipe title"), "nothing is running")
	}
	pipetest.Has(t, d.fails(1, "ALLOWED_DOMAINS= pwpipe goto $SITE/form"), "blocked")
	pipetest.Has(t, d.fails(1, "PWPIPE_ALLOWED_DOMAINS= pwpipe goto $SITE/form"), "blocked")
	// A relative file is in the command's folder; other folders are not changed.
	if got := d.ok("pwpipe shot a.png; cd walled; PWPIPE_QUIET=1 pwpipe shot a.png"); got !=
		filepath.Join(d.dir, "a.png")+"\n"+filepath.Join(d.dir, "walled", "a.png")+"\n" {
		t.Errorf("shots: %s", got)
	}
	d.ok("pwpipe close --all")
	d.fails(3, "pwpipe sessions")
}
