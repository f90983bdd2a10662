// Package act clicks, types, chooses options, scrolls, drags, uploads and downloads; lists and chooses
// frames; answers dialogs that scripts and DevTools clients left.
package act

import (
	"errors"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools of profile core.
var (
	Click       = tool.TypedOnPageDo(tool.Core.Acts("click", "Click", "Click an element"), click)
	DoubleClick = tool.TypedOnPageDo(tool.Core.Acts("dclick", "Double-click", "Double-click an element"), doubleClick)
	Fill        = tool.TypedOnPageDo(tool.Core.Acts("fill", "Fill", "Fill an input field"), fill)
	Check       = tool.TypedOnPageDo(tool.Core.Acts("check", "Check", "Check a checkbox or radio button"), check)
	Select      = tool.TypedOnPageDo(tool.Core.Acts("sel", "Select",
		"Choose an option of a select element"), selectOption)
)

// Tools are the actions of profile core, such as click and fill.
func Tools() []*provider.Tool {
	clears := tool.OnPageDo(tool.Core.Acts("clear", "Clear", "Clear an input field"), clearField)
	return []*provider.Tool{Click.Tool, DoubleClick.Tool, Fill.Tool, clears, Check.Tool, Select.Tool}
}

func click(c *tool.Call, in tool.SelParam) error { return clickOn(c, string(in.Sel)) }

// clickOn is page.click with the left button, once.
func clickOn(c *tool.Call, sel string) error {
	return c.ClickDirect(sel, func() error {
		if clickedPainted(c, sel) {
			return nil
		}
		return clickByDriver(c, sel, playwright.FrameClickOptions{})
	})
}

// clickedPainted clicks what stands in a canvas for those who don't see it, and an area of a picture.
// Both have no box, and are clicked as assistive technology does. An outline names it by a ref.
func clickedPainted(c *tool.Call, sel string) bool {
	if !strings.Contains(sel, "ref=e") {
		return false
	}
	var is bool
	if c.Direct(isPainted, sel, nil, &is) && !is {
		return false
	}
	done, err := tool.Frame(c.Page).EvalOnSelector(sel, `(e) => {
	if (!(`+painted+`)(e)) return false;
	e.focus();
	e.click();
	return true;
}`, nil)
	return err == nil && done == true
}

// painted tells what is drawn in a canvas for those who don't see it, or is an area of a picture.
const painted = `(e) => (e.closest('canvas') && e.localName !== 'canvas' || e.localName === 'area') && !e.disabled`

var isPainted = fastpath.DefineAside("painted",
	"(page, sel) => { const e = page.one(sel); return e && ("+painted+")(e) }")

// clickByDriver is page.click through the driver. It clicks at most once.
func clickByDriver(c *tool.Call, sel string, o playwright.FrameClickOptions) error {
	return c.Once(sel, func(timeout *float64, trial bool) error {
		o.Timeout, o.Trial = timeout, &trial
		return tool.Frame(c.Page).Click(sel, o)
	})
}

// doubleClick is page.dblclick.
func doubleClick(c *tool.Call, in tool.SelParam) error {
	sel := string(in.Sel)
	return c.Once(sel, func(timeout *float64, trial bool) error {
		return tool.Frame(c.Page).Dblclick(sel, playwright.FrameDblclickOptions{Timeout: timeout, Trial: &trial})
	})
}

// FillParams are the parameters of [Fill].
type FillParams struct {
	Sel tool.Selector `json:"sel" doc:"selector"`
	Val string        `json:"val" doc:"text"`
}

func fill(c *tool.Call, in FillParams) error { return fillIn(c, string(in.Sel), in.Val) }

// fillIn is page.fill. It fills a field at most once.
func fillIn(c *tool.Call, sel, text string) error {
	return c.FillDirect(sel, text, func() error {
		wait := waitFor(c, sel,
			playwright.ElementStateVisible, playwright.ElementStateEnabled, playwright.ElementStateEditable)
		return c.WhenReady(sel, wait, func(*float64) error { return fillAndCheck(c, sel, text) })
	})
}

// waitFor returns a function that waits for an element and its states. For an element that can't have a state it
// returns no error: the act itself has the better one.
func waitFor(c *tool.Call, sel string, states ...*playwright.ElementState) func(timeout *float64) error {
	return func(timeout *float64) error {
		until := time.Now().Add(time.Duration(*timeout * float64(time.Millisecond)))
		e, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
		if err != nil {
			return err
		}
		defer func() { _ = e.Dispose() }()
		for _, state := range states {
			left := max(1, float64(time.Until(until).Milliseconds()))
			err := e.WaitForElementState(*state, playwright.ElementHandleWaitForElementStateOptions{Timeout: &left})
			if errors.Is(err, playwright.ErrTimeout) {
				return err
			}
		}
		return nil
	}
}

// clearField is locator.clear, which is page.fill with an empty text.
func clearField(c *tool.Call, in tool.SelParam) error { return fillIn(c, string(in.Sel), "") }
