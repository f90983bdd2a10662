package grid

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "grid",
	Doc:  "take browsers from a Selenium Grid",
	Part: handlers.Part{
		Configure: func(c *handlers.Config) { c.Left = EndLeft },
	},
	Flags: newFlags,
}
