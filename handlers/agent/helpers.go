package agent

import (
	"pwpipe/handlers/browser"
	"pwpipe/handlers/inspect"
	"pwpipe/handlers/scripts"
)

// Hooks has the process of scripts started with a session's first page; where
// the tools that are listed have none, with the first after scripts have run and
// the session was reset.
var Hooks = browser.Hooks{Page: func(p *browser.Page) {
	if p.Session.Browser.Config.Scripts.Early || scripts.HasRun(p.Session) {
		go scripts.Prepare(p, helpersOfScripts)
	}
}}

// helpersOfScripts are the functions that scripts have beside Playwright's.
var helpersOfScripts = scripts.Helpers{
	Named: map[string]scripts.Helper{
		"accessibilitySnapshot": withOptions(snapshotHelper), "screenshotWithAccessibilityLabels": withOptions(labelledHelper),
		"showAriaRefLabels": withOptions(showLabels), "hideAriaRefLabels": withOptions(hideLabels),
		"leaving": withOptions(leaving), "waitForPageLoad": withOptions(waitForLoad), "getLatestLogs": withOptions(latestLogs), "getCleanHTML": withOptions(cleanHTML),
		"devtools": inspect.DevtoolsHelper, "getStylesForLocator": withOptions(inspect.StylesHelper), "getReactSource": withOptions(inspect.ReactHelper),
	},
	Plain: inspect.PlainHelpers,
}
