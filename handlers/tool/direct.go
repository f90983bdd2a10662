package tool

import (
	"pwpipe/handlers/browser"
	"pwpipe/handlers/direct"
	"pwpipe/provider"
)

// Direct asks the document that selectors are looked up in, in place of a call
// into Playwright. Where it reports false Playwright is to be called: it waits,
// and words the error.
func (c *Call) Direct(kind direct.Kind, sel string, arg, to any) bool {
	if ChosenFrame(c.Page) != nil {
		provider.TurnFrom(c.Ctx).Pass()
		return false
	}
	return direct.Read(c.Ctx, c.Page, kind, sel, arg, to)
}

// DirectOnPage is Direct for what is of the page, whatever frame was chosen.
func (c *Call) DirectOnPage(kind direct.Kind, arg, to any) bool {
	return direct.Read(c.Ctx, c.Page, kind, "", arg, to)
}

// FillDirect is page.fill past the driver, where that can be; byDriver where not.
func (c *Call) FillDirect(sel, text string, byDriver func() error) error {
	if ChosenFrame(c.Page) != nil {
		return byDriver()
	}
	return direct.Fill(c.Ctx, c.Page, sel, text, byDriver)
}

// catchUp has the driver's events there for a tool that may answer by them. One
// that asks directly needs none, and one that acts goes by the driver.
func catchUp(spec provider.Spec, pages ...*browser.Page) {
	if !spec.TakesTurns && (spec.Effect == provider.Reads || spec.Effect == provider.Waits) {
		direct.CatchUp(pages...)
	}
}
