// Package states lets pwpipe keep cookies and storage under names.
package states

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "states",
	Doc:  "keep cookies and storage under names",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterStorage: state.SavedTools},
	},
	Commands: func(p *program.Program, root *cobra.Command, out *os.File) { root.AddCommand(commands(p, out)...) },
	Flags:    program.StateFlags,
}
