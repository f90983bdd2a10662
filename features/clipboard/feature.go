// Package clipboard lets pwpipe give each session a clipboard of its own, and paste it.
package clipboard

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/clipboard"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "clipboard",
	Doc:  "give each session a clipboard of its own, and paste it",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{
			handlers.AfterCore: clipboard.Tools, handlers.AfterFind: clipboard.PasteTools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeRecord: {clipboard.Hooks}},
	},
}
