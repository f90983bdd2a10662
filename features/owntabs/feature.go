package owntabs

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/owntabs/extension"
	"pwpipe/features/owntabs/lend"
	"pwpipe/handlers"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "owntabs",
	Doc:  "drive tabs of the browser that a person uses: --cdp chrome, --cdp extension",
	Part: handlers.Part{
		Configure: func(c *handlers.Config) {
			if c.Source == nil {
				c.Source, _ = Named(c.CDP, c.Log)
			}
		},
	},
	Commands: addCommands,
	Takes:    takeProcess,
	Flags:    newFlags,
	Sources:  append(lend.Personal(), extension.Name),
	IsSource: func(text string) bool { return lend.IsPersonal(text) || text == extension.Name },
}

func addCommands(_ *program.Program, root *cobra.Command, out *os.File) {
	root.AddCommand(newLendCommand(out), newExtensionCommand(out))
}

// takeProcess is the process that the browser's extension starts.
func takeProcess(_ *program.Program, words []string, out *os.File) (bool, error) {
	if !extension.Asked(words) {
		return false, nil
	}
	return true, extension.Host(words, os.Stdin, out)
}
