// Package grid lets pwpipe take browsers from a Selenium Grid.
package grid

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/grids"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "grid",
	Doc:  "take browsers from a Selenium Grid",
	Part: handlers.Part{
		Configure: func(c *handlers.Config) { c.Left = grids.EndLeft },
	},
	Flags: newFlags,
}
