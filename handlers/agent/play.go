package agent

import (
	"context"
	"errors"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/inspect"
	play "pwpipe/handlers/scripts"
	"pwpipe/handlers/tool"
	"pwpipe/internal/playscript"
	"pwpipe/internal/script"
)

// Early has the process of scripts started with a session's first page.
var Early = browser.Hooks{Page: func(p *browser.Page) {
	if o := p.Session.Browser.Config.Scripts; o.Node && o.Early {
		go play.Prepare(p, helpersOfScripts)
	}
}}

// helpersOfScripts are those of the seed.
var helpersOfScripts = play.Helpers{
	Named: map[string]play.Helper{
		"accessibilitySnapshot": play.Helper(withOptions(snapshotHelper)), "screenshotWithAccessibilityLabels": play.Helper(withOptions(labelledHelper)),
		"showAriaRefLabels": play.Helper(withOptions(showLabels)), "hideAriaRefLabels": play.Helper(withOptions(hideLabels)),
		"waitForPageLoad": play.Helper(withOptions(waitForLoad)), "getLatestLogs": play.Helper(withOptions(latestLogs)), "getCleanHTML": play.Helper(withOptions(cleanHTML)),
		"devtools": inspect.DevtoolsHelper, "getStylesForLocator": play.Helper(withOptions(inspect.StylesHelper)), "getReactSource": play.Helper(withOptions(inspect.ReactHelper)),
	},
	Plain: func(s *browser.Session) map[string]func([]any) (any, error) { return inspect.PlainHelpers(s) },
}

// playScript runs a script on Playwright's own code.
func playScript(ctx context.Context, c *tool.Call, code string) (res script.Result, err error) {
	got, err := play.Run(ctx, c, helpersOfScripts, code)
	res = script.Result{Value: got.Value, Images: got.Images}
	for _, l := range got.Console {
		res.Console = append(res.Console, script.Line(l))
	}
	if errors.Is(err, playscript.ErrDeaf) {
		err = errors.Join(err, script.ErrDeaf)
	}
	return res, err
}
