// Package playwrightmcp lets pwpipe serve MCP with the flags, names and tools of Playwright MCP.
package playwrightmcp

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/playwrightmcp/mcptools"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:  "playwrightmcp",
	Doc:   "serve MCP with the flags, names and tools of Playwright MCP",
	Needs: []string{"scripts"},
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.Last: mcptools.Tools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeAct: {mcptools.Hooks}},
	},
	Foreign:  mcptools.Profile,
	Commands: func(p *program.Program, root *cobra.Command, out *os.File) { root.AddCommand(Command(p, out)) },
}
