package clipboard

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// PasteTools paste texts.
func PasteTools() []*provider.Tool {
	const doc = "Paste a text into a field, with its line breaks"
	return []*provider.Tool{
		tool.OnPageDo(tool.Reach.Acts("paste", "Paste", doc), paste),
		tool.Alias(tool.MCP.Second("browser_paste", "Paste", doc), "paste", provider.Always(success{true}),
			tool.As("sel", "selector"), tool.As("text", "text")),
	}
}

type pasteParams struct {
	Sel  tool.Selector `json:"sel" doc:"selector"`
	Text string        `json:"text" doc:"text"`
}

// takesText reports whether the focused element accepts text.
const takesText = `el => {
	let a = el.ownerDocument.activeElement;
	while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
	return !!a && (a.isContentEditable || a.ownerDocument.designMode === "on" ||
		(a.nodeName === "TEXTAREA" || a.nodeName === "INPUT" && !/^(button|checkbox|radio|submit|reset|file|image|range|color|hidden)$/.test(a.type)) && !a.readOnly && !a.disabled);
}`

// paste is locator.focus, then keyboard.insertText: CDP's Input.insertText.
func paste(c *tool.Call, in pasteParams) error {
	sel := string(in.Sel)
	err := c.Attempt(sel, func(timeout *float64) error {
		field := c.PW.Locator(sel).First()
		if err := field.Focus(playwright.LocatorFocusOptions{Timeout: timeout}); err != nil {
			return err
		}
		ready, err := field.Evaluate(takesText, nil, playwright.LocatorEvaluateOptions{Timeout: timeout})
		if err == nil && ready != true {
			err = provider.Errorf(provider.KindFailed, "%q is not a field that takes text (on %s)", sel, c.Where())
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Fail(c.PW.Keyboard().InsertText(in.Text), sel)
}

type success struct {
	Success bool `json:"success" doc:"true"`
}
