// Package features lists the features of pwpipe. A line that is deleted here leaves its feature
// out of the program.
package features

import (
	"pwpipe/cmd/program"
	"pwpipe/features/certificates"
	"pwpipe/features/clipboard"
	"pwpipe/features/devtools"
	"pwpipe/features/endpoint"
	"pwpipe/features/film"
	"pwpipe/features/grid"
	"pwpipe/features/har"
	"pwpipe/features/hosts"
	"pwpipe/features/login"
	"pwpipe/features/namedbrowser"
	"pwpipe/features/owntabs"
	"pwpipe/features/playwrightmcp"
	"pwpipe/features/record"
	"pwpipe/features/scripts"
	"pwpipe/features/service"
	"pwpipe/features/shell"
	"pwpipe/features/states"
	"pwpipe/features/telemetry"
	"pwpipe/features/watch"
	"pwpipe/features/webmcp"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// All are the features, in their order. It matters where several do the same at one stage
// (handlers.Stage): who is higher sees a page first, and is asked first to answer a dialog.
// It also orders tools that stand at one place in lists.
func All() []program.Feature {
	return []program.Feature{
		service.Feature,
		login.Feature,
		record.Feature,  // a person answers the dialogs of a window that is recorded
		scripts.Feature, // a script that waits for a dialog has it before a DevTools client
		endpoint.Feature,
		clipboard.Feature,
		har.Feature,
		states.Feature,
		film.Feature,
		owntabs.Feature,
		grid.Feature,
		certificates.Feature,
		telemetry.Feature,
		devtools.Feature,
		webmcp.Feature,
		watch.Feature,
		namedbrowser.Feature,
		playwrightmcp.Feature, // its tools answer what nobody above took
		hosts.Feature,
		shell.Feature,
	}
}

// Tools declares the tools of the core and of all features.
func Tools() []*provider.Tool { return handlers.Tools(parts()...) }

// NewBrowser makes a browser with all features, which has not started.
func NewBrowser(cfg handlers.Config) *handlers.Browser { return handlers.NewBrowser(cfg, parts()...) }

// Hooks are the hooks of the core and of all features.
func Hooks() []browser.Hooks { return handlers.Hooks(parts()...) }

func parts() (all []handlers.Part) {
	for _, f := range All() {
		all = append(all, f.Part)
	}
	return all
}
