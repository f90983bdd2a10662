package clipboard

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "clipboard",
	Doc:  "give each session a clipboard of its own, and paste it",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{
			handlers.AfterCore: Tools, handlers.AfterFind: PasteTools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeRecord: {Hooks}},
	},
}
