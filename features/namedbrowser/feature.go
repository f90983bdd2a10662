package namedbrowser

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "namedbrowser",
	Doc:  "launch browsers by name with one tool: playwright_browser",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterBatch: Tools},
	},
}
