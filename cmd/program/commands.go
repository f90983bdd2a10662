package program

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The commands of features, as [Feature] takes them.

// ServeCommands serve the tools over HTTP.
func ServeCommands(p *Program, root *cobra.Command, _ *os.File) { root.AddCommand(p.serveCommand()) }

// MCPCommands serve MCP as Playwright MCP does.
func MCPCommands(p *Program, root *cobra.Command, out *os.File) { root.AddCommand(MCPCommand(p, out)) }

// MCPCommand is the command mcp.
func MCPCommand(p *Program, out *os.File) *cobra.Command { return p.mcpCommand(out) }

// RefusedPeerFlag is why a flag that was given to the command mcp is refused, nil if none is.
func RefusedPeerFlag(flags *pflag.FlagSet) error { return refusedPeerFlag(flags) }
