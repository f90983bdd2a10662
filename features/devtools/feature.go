package devtools

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "devtools",
	Doc:  "debug pages: breakpoints, code, styles, React, heap, performance",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.Last: Tools},
	},
}
