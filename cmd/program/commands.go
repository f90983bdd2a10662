package program

import (
	"os"

	"github.com/spf13/cobra"
)

// The commands of features, as [Feature] takes them.

// ServeCommands serve the tools over HTTP.
func ServeCommands(p *Program, root *cobra.Command, _ *os.File) { root.AddCommand(p.serveCommand()) }

// ShellCommands are for shells.
func ShellCommands(p *Program, root *cobra.Command, _ *os.File) { root.AddCommand(p.serviceCommand()) }

// TakesShell runs a command of the user's service, such as a tool's.
func TakesShell(p *Program, words []string, out *os.File) (bool, error) {
	return p.shellCommand(words, out)
}

// StateCommands list, show, delete and import saved states.
func StateCommands(p *Program, root *cobra.Command, out *os.File) {
	root.AddCommand(p.stateCommands(out)...)
}

// MCPCommands serve MCP as Playwright MCP does.
func MCPCommands(p *Program, root *cobra.Command, out *os.File) { root.AddCommand(p.mcpCommand(out)) }

// HostCommands write configurations of MCP hosts.
func HostCommands(p *Program, root *cobra.Command, out *os.File) {
	for _, c := range root.Commands() {
		if c.Name() == "mcp" {
			c.AddCommand(p.mcpInstallCommand(out))
		}
	}
}
