package watch

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:  "watch",
	Doc:   "show people what runs, and let them take a session over",
	Needs: []string{"record"},
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.Last: Tools},
		Steps: tool.Steps{Gate: Gate},
	},
	Flags: newFlags,
}
