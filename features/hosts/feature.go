// Package hosts lets pwpipe add pwpipe to the configuration of MCP hosts.
package hosts

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:     "hosts",
	Doc:      "add pwpipe to the configuration of MCP hosts",
	Needs:    []string{"playwrightmcp"},
	Commands: addCommands,
}

// addCommands adds install to the command mcp.
func addCommands(p *program.Program, root *cobra.Command, out *os.File) {
	for _, c := range root.Commands() {
		if c.Name() == "mcp" {
			c.AddCommand(installCommand(p, out))
		}
	}
}
