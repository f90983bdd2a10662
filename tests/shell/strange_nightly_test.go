//go:build evidence && unix

package shell

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A long answer in parts is the whole one: each part prints the command for the next.
func TestLongAnswerInParts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe -s long open -q $SITE/article")
	left := regexp.MustCompile(`\n\n\[\d+ characters left: (.*)\]\n$`)
	for _, command := range []string{"eval 'document.body.innerText'", "snapshot"} {
		whole, got, parts := d.ok("pwpipe -s long "+command), "", 0
		for next := "pwpipe " + command + " --max 200"; next != ""; parts++ {
			text := d.ok("PWPIPE_SESSION=long " + next)
			next = ""
			if m := left.FindStringSubmatch(text); m != nil {
				text, next = strings.TrimSuffix(text, m[0]), m[1]
			}
			got += text
		}
		if strings.TrimSpace(got) != strings.TrimSpace(whole) || parts < 2 {
			t.Errorf("%s in %d parts:\n%s\ninstead of\n%s", command, parts, got, whole)
		}
	}
}

// A working directory that was removed is an error with what to do about it.
func TestDirectoryGone(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	pipetest.Has(t, d.fails(2, "mkdir gone; cd gone; rmdir ../gone; pwpipe txt h1"), "change to another one")
}

// A service with another protocol is reported, and not taken for a closed one.
func TestAnotherWire(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	dir := filepath.Join(d.run, "pwpipe")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "service-old.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "service-old.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { _ = http.Serve(l, http.NotFoundHandler()) }()
	pipetest.Has(t, d.fails(1, "pwpipe close --all"), "service-old: not a pwpipe of this version")
	pipetest.Has(t, d.fails(1, "pwpipe sessions"), "service-old: not a pwpipe of this version")
}
