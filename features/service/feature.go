// Package service lets pwpipe serve the tools over HTTP, WebSocket and MCP to many clients, with
// sessions by name.
package service

import (
	"slices"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/rpc"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "service",
	Doc:  "serve the tools over HTTP, WebSocket and MCP to many clients, with sessions by name",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterCore: func() []*provider.Tool {
			return slices.Concat(rpc.Tools(), rpc.PageTools(), rpc.SignalTools(), rpc.FindTools())
		}},
		Prepare: rpc.PlainSession,
	},
	Commands: program.ServeCommands,
}
