package clipboard

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/bundle"
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

// paste is locator.focus, then keyboard.insertText, which stays in the field's document: a frame of
// another origin may take the focus.
func paste(c *tool.Call, in pasteParams) error {
	sel := string(in.Sel)
	var field playwright.ElementHandle // which gets it, or nothing does
	if err := c.Attempt(sel, func(timeout *float64) (err error) {
		field, err = c.PW.WaitForSelector(sel, playwright.PageWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
		if err == nil {
			err = field.Focus()
		}
		return err
	}); err != nil {
		return err
	}
	defer func() { _ = field.Dispose() }()
	done, err := field.Evaluate(bundle.InsertText, in.Text)
	if err == nil && done != true {
		err = provider.Errorf(provider.KindFailed, "%q is not a field that takes text (on %s)", sel, c.Where())
	}
	return c.Fail(err, sel)
}

type success struct {
	Success bool `json:"success" doc:"true"`
}
