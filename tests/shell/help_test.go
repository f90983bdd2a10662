//go:build unix

package shell

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Help and completion know every tool, and need no service.
func TestHelp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for command, parts := range map[string][]string{
		"pwpipe click --help":               {"pwpipe click SEL", "--timeout", "-s, --session"},
		"pwpipe help click":                 {"pwpipe click SEL"},
		"pwpipe help help":                  {"pwpipe help [command]"},
		"pwpipe help agent":                 {"snapshot", "search"},
		"pwpipe open --help":                {"pwpipe open [URL]"},
		"pwpipe help close":                 {"--all"},
		"pwpipe __complete cli 2>&1":        {"click\tClick an element", "click-at"},
		"pwpipe __complete wait a ''":       {"visible", "detached"},
		"pwpipe __complete wait --st":       {"--state"},
		"pwpipe __complete shot ''":         {":0"}, // files
		"pwpipe __complete txt ''":          {":4"}, // no files
		"pwpipe __complete sess":            {"sessions"},
		"pwpipe completion bash":            {"__complete"},
		"pwpipe snapshot --full -h":         {"--interactive"},
		"pwpipe help upload; ls -A | wc -l": {"file", "0"},
	} {
		out, _, status := d.bash(command)
		if status != 0 {
			t.Errorf("%s: status %d", command, status)
		}
		pipetest.Has(t, out, parts...)
	}
	if d.service() != 0 {
		t.Error("help started a service")
	}
}

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
