// Package record lets pwpipe write what a person does as requests, and make programs of requests.
package record

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/recorder"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "record",
	Doc:  "write what a person does as requests, and make programs of requests",
	Part: handlers.Part{
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {recorder.Hooks}},
	},
	Commands: program.RecordCommands,
}
