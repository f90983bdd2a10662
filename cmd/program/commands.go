package program

import (
	"os"

	"github.com/spf13/cobra"
)

// The commands of features, as [Feature] takes them.

// ServeCommands serve the tools over HTTP.
func ServeCommands(p *Program, root *cobra.Command, _ *os.File) { root.AddCommand(p.serveCommand()) }
