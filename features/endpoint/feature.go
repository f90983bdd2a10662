package endpoint

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "endpoint",
	Doc:  "serve a session as a Chromium of its own to Playwright, Puppeteer and other DevTools clients",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterCore: Tools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {Hooks}},
	},
	Flags: newRoutes,
}
