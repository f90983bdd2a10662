package handlers

import (
	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/devtools"
	"pwpipe/provider"
)

func stylesTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(DevTools.Reads("styles", "Styles", "Show which CSS rules set an element's styles, where they were written, and what comes of them"), showStyles),
	}
}

type stylesParams struct {
	Sel      Selector `json:"sel" doc:"selector"`
	Computed []string `json:"computed,omitempty" doc:"properties to show the values of; default: those that the page's rules set"`
	All      bool     `json:"all,omitempty" doc:"the browser's own rules too"`
}

// showStyles answers styles as the panel of DevTools shows them.
func showStyles(c *call, in stylesParams) (string, error) {
	sel := string(in.Sel)
	s, err := c.styles(c.frame().Locator(sel), sel, devtools.StylesOptions{UserAgent: in.All, Computed: in.Computed})
	if err != nil {
		return "", err
	}
	return s.Text(), nil
}

// styles are those of the first element that a locator matches.
func (c *call) styles(l playwright.Locator, sel string, o devtools.StylesOptions) (*devtools.Styles, error) {
	tools, err := c.inspector()
	if err != nil {
		return nil, err
	}
	// The element is handed over by a property of its window, which is taken
	// away again when it is found.
	property := "pwpipe-" + uuid.NewString()
	_, err = l.First().Evaluate("(e, name) => { Object.defineProperty(e.ownerDocument.defaultView, name, {value: e, configurable: true}) }",
		property, playwright.LocatorEvaluateOptions{Timeout: c.left()})
	if err != nil {
		return nil, c.fail(err, sel)
	}
	id, err := tools.Find(c.ctx, property)
	if err != nil {
		return nil, c.debugError(err)
	}
	s, err := tools.Styles(c.ctx, id, o)
	return s, c.debugError(err)
}
