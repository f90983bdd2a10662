package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func stateOfTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Read.Reads("checked", "Checked?", "Tell whether a checkbox or radio button is checked"), isChecked),
		onPage(Read.Reads("enabled", "Enabled?", "Tell whether an element is enabled"), isEnabled),
		onPage(Read.Reads("editable", "Editable?", "Tell whether an element can be edited"), isEditable),
	}
}

// isChecked is locator.isChecked.
func isChecked(c *call, in selParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		v, err = c.frame().IsChecked(sel, playwright.FrameIsCheckedOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEnabled is locator.isEnabled.
func isEnabled(c *call, in selParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		v, err = c.frame().IsEnabled(sel, playwright.FrameIsEnabledOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEditable is locator.isEditable.
func isEditable(c *call, in selParam) (v bool, err error) {
	sel := string(in.Sel)
	err = c.attempt(sel, func(timeout *float64) error {
		v, err = c.frame().IsEditable(sel, playwright.FrameIsEditableOptions{Timeout: timeout})
		return err
	})
	return v, err
}
