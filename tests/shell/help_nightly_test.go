//go:build evidence && unix

package shell

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The live page of all sessions has a URL whose key works once.
func TestShow(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "DISPLAY=", "WAYLAND_DISPLAY=")
	pipetest.Has(t, d.fails(3, "pwpipe show"), "nothing is running")
	d.ok("pwpipe open -q")
	pipetest.Has(t, d.ok("curl -sS $(pwpipe show | sed 's/#.*//')"), "<html")
	pipetest.Has(t, d.ok("pwpipe show --print"), "http://127.0.0.1:", "/#key=")
	if n := d.ok("for i in 1 2 3; do pwpipe show | cut -d/ -f3; done | uniq | wc -l"); strings.TrimSpace(n) != "1" {
		t.Errorf("%s ports", n)
	}
	// Arguments are public, so the browser gets a file that only this user can read.
	d.ok("printf '#!/bin/sh\\necho $* >>opened' >$XDG_RUNTIME_DIR/bin/xdg-open && chmod +x $XDG_RUNTIME_DIR/bin/xdg-open")
	d.ok("DISPLAY=:9 pwpipe show; DISPLAY=:9 pwpipe show | head -1 >url")
	if n := d.ok("ls $XDG_RUNTIME_DIR/pwpipe/*.html | wc -l; grep -c key= opened || true"); n != "1\n0\n" {
		t.Errorf("files, and keys: %s", n)
	}
	pipetest.Has(t, d.ok("ls -l $(tail -1 opened); cat $(tail -1 opened)"), "-rw-------", strings.TrimSpace(d.ok("cat url")))
}
