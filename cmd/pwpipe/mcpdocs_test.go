package main

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDocsOfPeerFlags: docs/playwright-mcp.md says what each flag of Playwright MCP does here.
func TestDocsOfPeerFlags(t *testing.T) {
	table := "\n| flag | variable | here |\n|---|---|---|\n"
	for _, f := range peerFlags {
		here := f.help
		switch {
		case f.refuse != "":
			here = "refused: " + f.refuse
		case f.note != "":
			here = "no effect: " + f.note
		}
		table += "| `--" + f.name + "` | `" + f.variable() + "` | " + strings.ReplaceAll(here, "|", "\\|") + " |\n"
	}
	pipetest.GoldenSection(t, "../../docs/playwright-mcp.md", "flags", table)
}
