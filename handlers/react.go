package handlers

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/devtools"
	"pwpipe/provider"
)

func reactTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(DevTools.Reads("react-source", "React source", "Find the React component, file and line that an element was written in; a development build must run").Within(30*time.Second), showReactSource),
	}
}

// showReactSource answers where the first match was written.
func showReactSource(c *call, in selParam) (devtools.ReactSource, error) {
	sel := string(in.Sel)
	s, err := c.reactSource(c.frame().Locator(sel), sel)
	if err != nil {
		return devtools.ReactSource{}, err
	}
	return *s, nil
}

// reactSource is where the first element that a locator matches was written.
func (c *call) reactSource(l playwright.Locator, sel string) (*devtools.ReactSource, error) {
	tools, err := c.inspector()
	if err != nil {
		return nil, err
	}
	found, err := l.First().Evaluate(devtools.ReactScript, nil, playwright.LocatorEvaluateOptions{Timeout: c.left()})
	if err != nil {
		return nil, c.fail(err, sel)
	}
	s, err := tools.ReactSource(c.ctx, found)
	return s, c.debugError(err)
}
