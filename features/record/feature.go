// Package record lets pwpipe write what a person does as requests, and make programs of requests.
package record

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/record/recorder"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "record",
	Doc:  "write what a person does as requests, and make programs of requests",
	Part: handlers.Part{
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {recorder.Hooks}},
	},
	Commands: addCommands,
}

func addCommands(p *program.Program, root *cobra.Command, out *os.File) {
	root.AddCommand(recordCommand(p, out), convertCommand(p, out))
}
