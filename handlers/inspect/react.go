package inspect

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/devtools"
	"pwpipe/provider"
)

// ReactTools find where a React element was written.
func ReactTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.DevTools.Reads("react-source", "React source",
			"Find the React component, file and line that an element was written in; a development build must run").
			Within(30*time.Second), showReactSource),
	}
}

// showReactSource answers where the first match was written.
func showReactSource(c *tool.Call, in tool.SelParam) (devtools.ReactSource, error) {
	sel := string(in.Sel)
	s, err := reactSource(c, tool.Frame(c.Page).Locator(sel), sel)
	if err != nil {
		return devtools.ReactSource{}, err
	}
	return *s, nil
}

// reactSource is where the first match of a locator was written.
func reactSource(c *tool.Call, l playwright.Locator, sel string) (*devtools.ReactSource, error) {
	tools, err := inspector(c.Page)
	if err != nil {
		return nil, err
	}
	found, err := l.First().Evaluate(devtools.ReactScript, nil, playwright.LocatorEvaluateOptions{Timeout: c.Left()})
	if err != nil {
		return nil, c.Fail(err, sel)
	}
	s, err := tools.ReactSource(c.Ctx, found)
	return s, debugError(c, err)
}
