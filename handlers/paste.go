package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func pasteTools() []*provider.Tool {
	const doc = "Put a text into a field at once, line breaks included, as if it were pasted"
	return []*provider.Tool{
		onPageDo(Reach.Acts("paste", "Paste", doc), paste),
		onPage(MCP.Acts("browser_paste", "Paste", doc), browserPaste),
	}
}

type pasteParams struct {
	Sel  Selector `json:"sel" doc:"selector"`
	Text string   `json:"text" doc:"text"`
}

// takesText tells whether the focus is on something that takes text.
const takesText = `el => {
	let a = el.ownerDocument.activeElement;
	while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
	return !!a && (a.isContentEditable || a.ownerDocument.designMode === "on" ||
		(a.nodeName === "TEXTAREA" || a.nodeName === "INPUT" && !/^(button|checkbox|radio|submit|reset|file|image|range|color|hidden)$/.test(a.type)) && !a.readOnly && !a.disabled);
}`

// paste is locator.focus, then keyboard.insertText: CDP's Input.insertText.
func paste(c *call, in pasteParams) error {
	sel := string(in.Sel)
	err := c.attempt(sel, func(timeout *float64) error {
		field := c.pw.Locator(sel).First()
		if err := field.Focus(playwright.LocatorFocusOptions{Timeout: timeout}); err != nil {
			return err
		}
		ready, err := field.Evaluate(takesText, nil, playwright.LocatorEvaluateOptions{Timeout: timeout})
		if err == nil && ready != true {
			err = provider.Errorf(provider.KindFailed, "%q is not a field that takes text (on %s)", sel, c.where())
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.fail(c.pw.Keyboard().InsertText(in.Text), sel)
}

type browserPasteParams struct {
	Selector Selector `json:"selector" doc:"selector"`
	Text     string   `json:"text" doc:"text"`
}

type success struct {
	Success bool `json:"success" doc:"true"`
}

func browserPaste(c *call, in browserPasteParams) (success, error) {
	err := paste(c, pasteParams{in.Selector, in.Text})
	return success{err == nil}, err
}
