// Package owntabs lets pwpipe drive tabs of the browser that a person uses: --cdp chrome, --cdp extension.
package owntabs

import (
	"pwpipe/handlers"
	"pwpipe/handlers/owntabs"
	"pwpipe/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "owntabs",
	Doc:  "drive tabs of the browser that a person uses: --cdp chrome, --cdp extension",
	Part: handlers.Part{
		Configure: func(c *handlers.Config) {
			if c.Source == nil {
				c.Source, _ = owntabs.Named(c.CDP, c.Log)
			}
		},
	},
	Commands: program.TabCommands,
	Takes:    program.TakesTabs,
}
