package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func waitTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(core("wait", "Wait", "Wait until an element is visible", 30, provider.Waits), wait),
	}
}

// wait is page.waitForSelector for a visible element.
func wait(c *call, in selParam) (none, error) {
	return none{}, c.attempt(in.Sel, func(timeout *float64) error {
		_, err := c.frame().WaitForSelector(in.Sel, playwright.FrameWaitForSelectorOptions{Timeout: timeout})
		return err
	})
}
