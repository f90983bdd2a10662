package tool

import (
	"errors"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/machine/tricks"
	"pwpipe/provider"
)

// Direct asks the document that selectors are looked up in, in place of a call
// into Playwright. Where it reports false Playwright is to be called: it waits,
// and words the error.
func (c *Call) Direct(kind fastpath.Kind, sel string, arg, to any) bool {
	if ChosenFrame(c.Page) != nil {
		provider.TurnFrom(c.Ctx).Pass()
		return false
	}
	return c.read(kind, sel, arg, to)
}

// DirectOnPage is Direct for what is of the page, whatever frame was chosen.
func (c *Call) DirectOnPage(kind fastpath.Kind, arg, to any) bool {
	return c.read(kind, "", arg, to)
}

// read remembers that an answer is too long: it is not asked for again.
func (c *Call) read(kind fastpath.Kind, sel string, arg, to any) (ok bool) {
	if tricks.Off(tricks.DirectReads) {
		provider.TurnFrom(c.Ctx).Pass()
		return false
	}
	ok, c.long = fastpath.Read(c.Ctx, c.Page, kind, sel, arg, to)
	return ok
}

// FillDirect is page.fill past the driver, where that can be; byDriver where not.
func (c *Call) FillDirect(sel, text string, byDriver func() error) error {
	if ChosenFrame(c.Page) != nil || tricks.Off(tricks.DirectFills) {
		return byDriver()
	}
	return fastpath.Fill(c.Ctx, c.Page, sel, text, byDriver)
}

// ClickDirect is page.click past the driver, where that can be; byDriver where not.
func (c *Call) ClickDirect(sel string, byDriver func() error) error {
	if ChosenFrame(c.Page) != nil || tricks.Off(tricks.DirectClicks) {
		return byDriver()
	}
	err := fastpath.Click(c.Ctx, c.Page, sel, byDriver)
	if errors.Is(err, fastpath.ErrUnended) || errors.Is(err, fastpath.ErrUntaken) {
		return c.Fail(err, sel)
	}
	return err
}

// MovesMouse notes that a call has the driver move the page's mouse.
func (c *Call) MovesMouse() { fastpath.Moved(c.Page) }

// Holds notes that a button or a key is held.
func (c *Call) Holds() { fastpath.Held(c.Page) }

// Mouse is the page's, where it stands: for tools that go by that.
func (c *Call) Mouse() (playwright.Mouse, error) {
	return c.PW.Mouse(), c.Fail(fastpath.SyncMouse(c.Page), "")
}

// catchUp has the driver's events there for a tool that may answer by them. One
// that asks directly needs none, and one that acts goes by the driver.
func catchUp(spec provider.Spec, pages ...*browser.Page) {
	if !spec.TakesTurns && (spec.Effect == provider.Reads || spec.Effect == provider.Waits) {
		fastpath.CatchUp(pages...)
	}
}
