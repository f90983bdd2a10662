package service

import (
	"slices"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "service",
	Doc:  "serve the tools over HTTP, WebSocket and MCP to many clients, with sessions by name",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterCore: func() []*provider.Tool {
			return slices.Concat(Tools(), PageTools(), SignalTools(), FindTools())
		}},
		Prepare: PlainSession,
	},
	Commands: program.ServeCommands,
}
