// Package read reads pages: texts, values, tables, Markdown, the response of the document.
package read

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools that Go code calls too.
var (
	Text = tool.TypedOnPage(tool.Core.Reads("txt", "Text",
		"Get the text content of an element (text: as seen)").Within(5*time.Second).Direct(), text)
	Eval = tool.TypedOnPage(tool.Core.Acts("eval", "Evaluate",
		"Evaluate JavaScript in the page; its JSON value"), evaluate)
	Checked = tool.TypedOnPage(tool.Read.Reads("checked", "Checked?",
		"Tell whether a checkbox or radio button is checked"), isChecked)
	Value = tool.TypedOnPage(tool.Read.Reads("value", "Value",
		"Get the value of an input, a textarea or a select, or the text of an element edited in place").
		Direct(), inputValue)
	Count = tool.TypedOnPage(tool.Read.Reads("count", "Count", "Count the elements that match, at once").
		Direct(), count)
)

// Tools are the reads of profile core.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		Text.Tool,
		tool.OnPage(tool.Core.Reads("attr", "Attribute",
			"Get an attribute of an element").Within(5*time.Second).Direct(), attribute),
		tool.OnPage(tool.Core.Reads("html", "HTML",
			"Get the inner HTML of an element").Within(5*time.Second).Direct(), innerHTML),
		tool.OnPage(tool.Core.Reads("vis", "Visible?",
			"Tell at once whether an element is visible").Within(5*time.Second).Direct(), visible),
		tool.OnPage(tool.Core.Reads("title", "Title", "Get the page title").Within(5*time.Second).Direct(), title),
		tool.OnPage(tool.Core.Reads("url", "URL", "Get the current URL").Within(5*time.Second), pageURL),
	}
}

var (
	textContent  = fastpath.Define("text-content", "(page, sel) => page.one(sel)?.textContent")
	getAttribute = fastpath.Define("attribute", "(page, sel, name) => page.one(sel)?.getAttribute(name)")
	getInnerHTML = fastpath.Define("inner-html", "(page, sel) => page.one(sel)?.innerHTML")
	isVisible    = fastpath.Define("visible", "(page, sel) => { const e = page.one(sel); return e ? page.injected.elementState(e, 'visible').matches : false }")
	getTitle     = fastpath.Define("title", "() => document.title")
)

// awaited reads by the driver, which waits for the element.
func awaited[T any](c *tool.Call, sel string,
	read func(f playwright.Frame, timeout *float64) (T, error)) (value T, err error) {
	err = c.Attempt(sel, func(timeout *float64) error {
		value, err = read(tool.Frame(c.Page), timeout)
		return err
	})
	return value, err
}

// direct reads from the document, or else by the driver.
func direct[T any](c *tool.Call, kind fastpath.Kind, sel string,
	read func(f playwright.Frame, timeout *float64) (T, error)) (value T, err error) {
	if c.Direct(kind, sel, nil, &value) {
		return value, nil
	}
	return awaited(c, sel, read)
}

// text is page.textContent.
func text(c *tool.Call, in tool.SelParam) (string, error) {
	sel := string(in.Sel)
	return direct(c, textContent, sel, func(f playwright.Frame, timeout *float64) (string, error) {
		return f.TextContent(sel, playwright.FrameTextContentOptions{Timeout: timeout})
	})
}

type attrParams struct {
	Sel  tool.Selector `json:"sel" doc:"selector"`
	Name string        `json:"name" secrets:"no" doc:"attribute"`
}

// attribute is page.getAttribute. It is null if the element has no such attribute;
// playwright-go answers an empty string for both.
func attribute(c *tool.Call, in attrParams) (value *string, err error) {
	if c.Direct(getAttribute, string(in.Sel), in.Name, &value) {
		return value, nil
	}
	sel := string(in.Sel)
	return awaited(c, sel, func(f playwright.Frame, timeout *float64) (*string, error) {
		if _, err := f.WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
			return nil, err
		}
		v, err := f.EvalOnSelector(sel, "(el, name) => el.getAttribute(name)", in.Name)
		if s, ok := v.(string); ok {
			return &s, err
		}
		return nil, err
	})
}

// innerHTML is page.innerHTML.
func innerHTML(c *tool.Call, in tool.SelParam) (string, error) {
	sel := string(in.Sel)
	return direct(c, getInnerHTML, sel, func(f playwright.Frame, timeout *float64) (string, error) {
		return f.InnerHTML(sel, playwright.FrameInnerHTMLOptions{Timeout: timeout})
	})
}

// visible is page.isVisible, which does not wait.
func visible(c *tool.Call, in tool.SelParam) (v bool, err error) {
	if c.Direct(isVisible, string(in.Sel), nil, &v) {
		return v, nil
	}
	sel := string(in.Sel)
	v, err = tool.Frame(c.Page).IsVisible(sel)
	return v, c.FailUnlessGone(err, sel)
}

// title is page.title.
func title(c *tool.Call, _ tool.NoParams) (s string, err error) {
	if c.DirectOnPage(getTitle, "", nil, &s) { // of the page, even if a frame is chosen
		return s, nil
	}
	return awaited(c, "", func(playwright.Frame, *float64) (string, error) { return c.PW.Title() })
}

// pageURL is page.url.
func pageURL(c *tool.Call, _ tool.NoParams) (string, error) { return c.PW.URL(), nil }

// EvalTools is core's eval.
func EvalTools() []*provider.Tool { return []*provider.Tool{Eval.Tool} }

// EvalParams are the parameters of [Eval].
type EvalParams struct {
	Code string          `json:"code" doc:"expression, or function to call"`
	Arg  json.RawMessage `json:"arg,omitempty" doc:"any JSON" alias:"only"`
}

// evaluate is page.evaluate; of an alias that takes arg, with that.
func evaluate(c *tool.Call, in EvalParams) (json.RawMessage, error) {
	if in.Arg == nil {
		return c.Evaluate(in.Code, nil)
	}
	const withArg = `() => {
		const arg = %s, value = (%s
);
		return typeof value === 'function' ? value(arg) : value;
	}`
	return c.Evaluate(fmt.Sprintf(withArg, tool.JSLiteral(in.Arg), in.Code), nil)
}

// StateOfTools report the state of an element.
func StateOfTools() []*provider.Tool {
	return []*provider.Tool{
		Checked.Tool,
		tool.OnPage(tool.Read.Reads("enabled", "Enabled?", "Tell whether an element is enabled"), isEnabled),
		tool.OnPage(tool.Read.Reads("editable", "Editable?", "Tell whether an element can be edited"), isEditable),
	}
}

// isChecked is locator.isChecked.
func isChecked(c *tool.Call, in tool.SelParam) (bool, error) {
	sel := string(in.Sel)
	return awaited(c, sel, func(f playwright.Frame, timeout *float64) (bool, error) {
		return f.IsChecked(sel, playwright.FrameIsCheckedOptions{Timeout: timeout})
	})
}

// isEnabled is locator.isEnabled.
func isEnabled(c *tool.Call, in tool.SelParam) (bool, error) {
	sel := string(in.Sel)
	return awaited(c, sel, func(f playwright.Frame, timeout *float64) (bool, error) {
		return f.IsEnabled(sel, playwright.FrameIsEnabledOptions{Timeout: timeout})
	})
}

// isEditable is locator.isEditable.
func isEditable(c *tool.Call, in tool.SelParam) (bool, error) {
	sel := string(in.Sel)
	return awaited(c, sel, func(f playwright.Frame, timeout *float64) (bool, error) {
		return f.IsEditable(sel, playwright.FrameIsEditableOptions{Timeout: timeout})
	})
}

// LocatorTools name elements for programs.
func LocatorTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("locator", "Locator",
			"Get a selector that stands by itself for an element, such as a ref: by test id, role and name, label or text"),
			func(c *tool.Call, in tool.SelParam) (string, error) { return c.Standing(string(in.Sel)) }),
	}
}
