package read

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// StateOfTools report the state of an element.
func StateOfTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("checked", "Checked?",
			"Tell whether a checkbox or radio button is checked"), isChecked),
		tool.OnPage(tool.Read.Reads("enabled", "Enabled?", "Tell whether an element is enabled"), isEnabled),
		tool.OnPage(tool.Read.Reads("editable", "Editable?", "Tell whether an element can be edited"), isEditable),
	}
}

// isChecked is locator.isChecked.
func isChecked(c *tool.Call, in tool.SelParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.Attempt(sel, func(timeout *float64) error {
		v, err = tool.Frame(c.Page).IsChecked(sel, playwright.FrameIsCheckedOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEnabled is locator.isEnabled.
func isEnabled(c *tool.Call, in tool.SelParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.Attempt(sel, func(timeout *float64) error {
		v, err = tool.Frame(c.Page).IsEnabled(sel, playwright.FrameIsEnabledOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEditable is locator.isEditable.
func isEditable(c *tool.Call, in tool.SelParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.Attempt(sel, func(timeout *float64) error {
		v, err = tool.Frame(c.Page).IsEditable(sel, playwright.FrameIsEditableOptions{Timeout: timeout})
		return err
	})
	return v, err
}
