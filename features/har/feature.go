package har

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/emulate"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "har",
	Doc:  "record the network into HAR files, and answer from them",
	Part: handlers.Part{
		Configure: func(c *handlers.Config) { emulate.HAR.Set(c, TempHAR) },
		Tools:     map[handlers.Place]func() []*provider.Tool{handlers.AfterNet: Tools},
		Hooks:     map[handlers.Stage][]browser.Hooks{handlers.BeforeGuard: {Hooks}},
	},
}
