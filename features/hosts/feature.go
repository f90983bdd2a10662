// Package hosts lets pwpipe add pwpipe to the configuration of MCP hosts.
package hosts

import (
	"pwpipe/cmd/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:     "hosts",
	Doc:      "add pwpipe to the configuration of MCP hosts",
	Needs:    []string{"playwrightmcp"},
	Commands: program.HostCommands,
}
