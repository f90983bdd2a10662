package tool

import (
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// Documents are the page's frames that have a document, the main frame first. One that has none is
// to load when it is in view, or its server has not answered: who asks it waits for it. The driver
// knows at once (skipEmptyFrames in internal/browser/driver).
func Documents(p *browser.Page) []playwright.Frame {
	return slices.DeleteFunc(p.Frames.All(), func(f playwright.Frame) bool {
		if f.ParentFrame() == nil || f.URL() != "" {
			return false
		}
		_, err := f.Title()
		return err != nil
	})
}
