package devtools

import (
	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/devtools"
)

type stylesParams struct {
	Sel      tool.Selector `json:"sel" doc:"selector"`
	Computed []string      `json:"computed,omitempty" doc:"properties to show the values of; default: those that the page's rules set"`
	All      bool          `json:"all,omitempty" doc:"the browser's own rules too"`
}

// showStyles answers styles in the form of the DevTools panel.
func showStyles(c *tool.Call, in stylesParams) (string, error) {
	sel := string(in.Sel)
	s, err := styles(c, tool.Frame(c.Page).Locator(sel), sel, devtools.StylesOptions{UserAgent: in.All, Computed: in.Computed})
	if err != nil {
		return "", err
	}
	return s.Text(), nil
}

// styles reads the styles of the first match of a locator.
func styles(c *tool.Call, l playwright.Locator, sel string, o devtools.StylesOptions) (*devtools.Styles, error) {
	tools, err := Inspector(c.Page)
	if err != nil {
		return nil, err
	}
	// The element is passed by a property of its window, which is removed when the
	// element is found.
	property := "pwpipe-" + uuid.NewString()
	_, err = l.First().Evaluate("(e, name) => { Object.defineProperty(e.ownerDocument.defaultView, name, {value: e, configurable: true}) }",
		property, playwright.LocatorEvaluateOptions{Timeout: c.Left()})
	if err != nil {
		return nil, c.Fail(err, sel)
	}
	id, err := tools.Find(c.Ctx, property)
	if err != nil {
		return nil, debugError(c, err)
	}
	s, err := tools.Styles(c.Ctx, id, o)
	return s, debugError(c, err)
}

// showReactSource answers where the first match was written.
func showReactSource(c *tool.Call, in tool.SelParam) (*devtools.ReactSource, error) {
	sel := string(in.Sel)
	return reactSource(c, tool.Frame(c.Page).Locator(sel), sel)
}

// reactSource is where the first match of a locator was written.
func reactSource(c *tool.Call, l playwright.Locator, sel string) (*devtools.ReactSource, error) {
	tools, err := Inspector(c.Page)
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
