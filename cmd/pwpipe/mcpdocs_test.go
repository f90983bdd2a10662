package main

import (
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDocsOfPeerFlags: docs/playwright-mcp.md says what becomes of each flag of Playwright MCP.
func TestDocsOfPeerFlags(t *testing.T) {
	const file, begin, end = "../../docs/playwright-mcp.md", "<!-- flags -->\n", "<!-- /flags -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the flags", file)
	}
	table := "| flag | variable | here |\n|---|---|---|\n"
	for _, f := range peerFlags {
		here := f.help
		switch {
		case f.refuse != "":
			here = "refused: " + f.refuse
		case f.note != "":
			here = "taken, without a meaning: " + f.note
		}
		table += "| `--" + f.name + "` | `" + f.variable() + "` | " + strings.ReplaceAll(here, "|", "\\|") + " |\n"
	}
	pipetest.Golden(t, file, before+begin+table+end+after)
}
