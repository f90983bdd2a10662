// Package states lets pwpipe keep cookies and storage under names.
package states

import (
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
	Commands: program.StateCommands,
	Flags:    program.StateFlags,
}
