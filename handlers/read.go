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
	err = c.attempt(in.Sel, func(timeout *float64) error {
		s, err = c.frame().TextContent(in.Sel, playwright.FrameTextContentOptions{Timeout: timeout})
		return err
	})
	return s, err
}

type attrParams struct {
	Sel  string `json:"sel" doc:"selector"`
	Name string `json:"name" doc:"attribute"`
}

// attribute is page.getAttribute; null if the element has no such attribute,
// which playwright-go's string can't tell from an empty one. (Its
// locator.evaluate would wait until the element is visible.)
func attribute(c *call, in attrParams) (value *string, err error) {
	err = c.attempt(in.Sel, func(timeout *float64) error {
		if _, err := c.frame().WaitForSelector(in.Sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
			return err
		}
		v, err := c.frame().EvalOnSelector(in.Sel, "(el, name) => el.getAttribute(name)", in.Name)
		if s, ok := v.(string); ok {
			value = &s
		}
		return err
	})
	return value, err
}

// innerHTML is page.innerHTML.
func innerHTML(c *call, in selParam) (s string, err error) {
	err = c.attempt(in.Sel, func(timeout *float64) error {
		s, err = c.frame().InnerHTML(in.Sel, playwright.FrameInnerHTMLOptions{Timeout: timeout})
		return err
	})
	return s, err
}

// visible is page.isVisible, which does not wait.
func visible(c *call, in selParam) (bool, error) {
	v, err := c.frame().IsVisible(in.Sel)
	return v, c.fail(err, in.Sel)
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
