// Package webmcp lets pwpipe call the tools that a page offers to agents.
package webmcp

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/webmcp"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "webmcp",
	Doc:  "call the tools that a page offers to agents",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.Last: webmcp.Tools},
	},
	Flags: newFlags,
}
