package login

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "login",
	Doc:  "log in at sites with values that no client sees",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterState: Tools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {Hooks}},
	},
	Flags: newFlags,
}
