// Package film lets pwpipe film pages.
package film

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/record"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "film",
	Doc:  "film pages",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterTrace: record.FilmTools},
	},
}
