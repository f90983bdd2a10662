// Package owntabs lets pwpipe drive tabs of the browser that a person uses: --cdp chrome, --cdp extension.
package owntabs

import (
	"pwpipe/handlers"
	"pwpipe/handlers/owntabs"
	"pwpipe/internal/browser/extension"
	"pwpipe/internal/browser/lend"
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
	Flags:    program.LendFlags,
	Sources:  append(lend.Personal(), extension.Name),
	IsSource: func(text string) bool { return lend.IsPersonal(text) || text == extension.Name },
}
