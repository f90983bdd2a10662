package program

import (
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDocsOfPeerFlags: docs/playwright-mcp.md says what each flag of Playwright MCP does here.
func TestDocsOfPeerFlags(t *testing.T) {
	table := "\n| flag, or member of the file | variable | here |\n|---|---|---|\n"
	for _, f := range slices.Concat(peerFlags, peerMembers) {
		here := f.help
		switch {
		case f.refuse != "":
			here = "refused: " + f.refuse
		case f.note != "":
			here = "no effect: " + f.note
		}
		flag, variable := "`--"+f.name+"`", "`"+f.variable()+"`"
		if f.name == "" {
			flag = "`" + strings.Join(f.file, "`, `") + "`"
		}
		row := "| " + flag + " | " + variable + " | " + strings.ReplaceAll(here, "|", "\\|") + " |\n"
		table += strings.ReplaceAll(row, "``", "")
	}
	pipetest.GoldenSection(t, "../../docs/playwright-mcp.md", "flags", table)
}
