// Package login lets pwpipe log in at sites with values that no client sees.
package login

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/login"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "login",
	Doc:  "log in at sites with values that no client sees",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterState: login.Tools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {login.Hooks}},
	},
	Flags: newFlags,
}
