package playwrightmcp

import (
	"fmt"
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

// TestPeerFlagVariables: testdata/flags.txt has the settings of `pwpipe mcp` as Playwright
// MCP names them: the flag, the variable and the places in a file.
func TestPeerFlagVariables(t *testing.T) {
	var text strings.Builder
	for _, f := range peerFlags {
		fmt.Fprintf(&text, "--%s (%s)", f.name, f.kind)
		if v := f.variable(); v != "" {
			fmt.Fprintf(&text, " %s", v)
		}
		if len(f.file) > 0 {
			fmt.Fprintf(&text, " file: %s", strings.Join(f.file, ", "))
		}
		text.WriteByte('\n')
	}
	pipetest.Golden(t, "testdata/flags.txt", text.String())
}
