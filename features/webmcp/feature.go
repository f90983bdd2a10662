package webmcp

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "webmcp",
	Doc:  "call the tools that a page offers to agents",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.Last: Tools},
	},
	Flags: newFlags,
}
