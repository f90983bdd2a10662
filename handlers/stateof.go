package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func stateOfTools() []*provider.Tool {
	is := func(name, title, doc string) provider.Spec {
		return inProfile("read", name, title, doc, 5, provider.Reads)
	}
	return []*provider.Tool{
		onPage(is("checked", "Checked?", "Tell whether a checkbox or radio button is checked"), isChecked),
		onPage(is("enabled", "Enabled?", "Tell whether an element is enabled"), isEnabled),
		onPage(is("editable", "Editable?", "Tell whether an element can be edited"), isEditable),
	}
}

// isChecked is locator.isChecked.
func isChecked(c *call, in selParam) (v bool, err error) {
	err = c.attempt(in.Sel, func(timeout *float64) error {
		v, err = c.frame().IsChecked(in.Sel, playwright.FrameIsCheckedOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEnabled is locator.isEnabled.
func isEnabled(c *call, in selParam) (v bool, err error) {
	err = c.attempt(in.Sel, func(timeout *float64) error {
		v, err = c.frame().IsEnabled(in.Sel, playwright.FrameIsEnabledOptions{Timeout: timeout})
		return err
	})
	return v, err
}

// isEditable is locator.isEditable.
func isEditable(c *call, in selParam) (v bool, err error) {
	err = c.attempt(in.Sel, func(timeout *float64) error {
		v, err = c.frame().IsEditable(in.Sel, playwright.FrameIsEditableOptions{Timeout: timeout})
		return err
	})
	return v, err
}
