//go:build unix

package shell

import (
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
