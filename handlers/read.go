package handlers

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func readTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Core.Reads("txt", "Text", "Get the text content of an element").Within(5*time.Second), text),
		onPage(Core.Reads("attr", "Attribute", "Get an attribute of an element").Within(5*time.Second), attribute),
		onPage(Core.Reads("html", "HTML", "Get the inner HTML of an element").Within(5*time.Second), innerHTML),
		onPage(Core.Reads("vis", "Visible?", "Tell at once whether an element is visible").Within(5*time.Second), visible),
		onPage(Core.Reads("title", "Title", "Get the page title").Within(5*time.Second), title),
		onPage(Core.Reads("url", "URL", "Get the current URL").Within(5*time.Second), pageURL),
	}
}

// text is page.textContent.
func text(c *call, in selParam) (s string, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		s, err = c.frame().TextContent(sel, playwright.FrameTextContentOptions{Timeout: timeout})
		return err
	})
	return s, err
}

type attrParams struct {
	Sel  Selector `json:"sel" doc:"selector"`
	Name string   `json:"name" secrets:"no" doc:"attribute"`
}

// attribute is page.getAttribute; null if the element has no such attribute,
// which playwright-go's string can't tell from an empty one. (Its
// locator.evaluate would wait until the element is visible.)
func attribute(c *call, in attrParams) (value *string, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		if _, err := c.frame().WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
			return err
		}
		v, err := c.frame().EvalOnSelector(sel, "(el, name) => el.getAttribute(name)", in.Name)
		if s, ok := v.(string); ok {
			value = &s
		}
		return err
	})
	return value, err
}

// innerHTML is page.innerHTML.
func innerHTML(c *call, in selParam) (s string, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		s, err = c.frame().InnerHTML(sel, playwright.FrameInnerHTMLOptions{Timeout: timeout})
		return err
	})
	return s, err
}

// visible is page.isVisible, which does not wait.
func visible(c *call, in selParam) (bool, error) {
	sel := string(in.Sel)
	v, err := c.frame().IsVisible(sel)
	return v, c.fail(err, sel)
}

// title is page.title. DevTools gives it faster, where there is a document to
// ask.
func title(c *call, _ noParams) (string, error) {
	if reply, err := c.devtools("Runtime.evaluate", map[string]any{"expression": "document.title", "returnByValue": true}); err == nil {
		if v, err := remoteValue(reply); err == nil {
			if s, ok := v.(string); ok {
				return s, nil
			}
		}
	}
	s, err := c.pw.Title()
	return s, c.fail(err, "")
}

// pageURL is page.url.
func pageURL(c *call, _ noParams) (string, error) { return c.pw.URL(), nil }
