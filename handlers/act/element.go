package act

import (
	"cmp"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools on one element.
var (
	Hover     = tool.TypedOnPageDo(tool.Act.Acts("hover", "Hover", "Move the mouse over an element"), hover)
	ClickWith = tool.TypedOnPageDo(tool.Act.Acts("rclick", "Right click",
		"Click an element with another button, or with keys held"), clickWith)
	Uncheck = tool.TypedOnPageDo(tool.Act.Acts("uncheck", "Uncheck", "Uncheck a checkbox"), uncheck)
	Drag    = tool.TypedOnPageDo(tool.Act.Acts("drag", "Drag", "Drag an element onto another, with the mouse"), drag)
)

// ElementTools are mouse and keyboard actions on one element.
func ElementTools() []*provider.Tool {
	return []*provider.Tool{
		Hover.Tool, ClickWith.Tool,
		tool.OnPageDo(tool.Act.Acts("tap", "Tap", "Tap an element with a finger"), tap),
		Uncheck.Tool,
		tool.OnPageDo(tool.Act.Acts("focus", "Focus", "Put the keyboard focus on an element"), focus),
		tool.OnPageDo(tool.Act.Acts("blur", "Blur", "Take the keyboard focus off an element"), blur),
		tool.OnPageDo(tool.Act.Acts("scroll", "Scroll",
			"Scroll an element into view, or it (without a selector the page) by pixels or to an edge"), scroll),
		Drag.Tool,
	}
}

// onElement makes a tool from a method of Playwright that waits for an element. The method may run again.
func onElement(act func(f playwright.Frame, sel string, timeout *float64) error) func(*tool.Call, tool.SelParam) error {
	return func(c *tool.Call, in tool.SelParam) error {
		sel := string(in.Sel)
		return c.Attempt(sel, func(timeout *float64) error { return act(tool.Frame(c.Page), sel, timeout) })
	}
}

// setChecked is page.check or page.uncheck. It clicks at most once, and looks at the state then.
func setChecked(checked bool) func(*tool.Call, tool.SelParam) error {
	return func(c *tool.Call, in tool.SelParam) error {
		sel := string(in.Sel)
		return c.Once(sel, func(timeout *float64, trial bool) error {
			o := playwright.FrameSetCheckedOptions{Timeout: timeout, Trial: &trial}
			return tool.Frame(c.Page).SetChecked(sel, checked, o)
		})
	}
}

// moveOver is page.hover.
func moveOver(c *tool.Call, in tool.SelParam) error {
	sel := string(in.Sel)
	return c.Attempt(sel, func(timeout *float64) error {
		c.MovesMouse() // each time, as the page may lock the pointer meanwhile
		return tool.Frame(c.Page).Hover(sel, playwright.FrameHoverOptions{Timeout: timeout})
	})
}

var (
	check, uncheck = setChecked(true), setChecked(false)
	// focus is page.focus.
	focus = onElement(func(f playwright.Frame, sel string, timeout *float64) error {
		return f.Focus(sel, playwright.FrameFocusOptions{Timeout: timeout})
	})
	// blur is locator.blur.
	blur = onElement(func(f playwright.Frame, sel string, timeout *float64) error {
		return f.Locator(sel).First().Blur(playwright.LocatorBlurOptions{Timeout: timeout})
	})
)

// hover is page.hover. It notes where the mouse is, for a button that is pressed there next.
func hover(c *tool.Call, in tool.SelParam) error {
	if err := moveOver(c, in); err != nil {
		return err
	}
	if x, y, err := middle(c, string(in.Sel)); err == nil {
		aimAt(c, string(in.Sel), x, y).keep()
	}
	return nil
}

// ClickWithParams are the parameters of [ClickWith].
type ClickWithParams struct {
	Sel    tool.Selector `json:"sel" doc:"selector"`
	Button string        `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"right"`
	Keys   []string      `json:"keys,omitempty" doc:"keys held meanwhile: Alt, Control, ControlOrMeta, Meta, Shift"`
	Count  int           `json:"count,omitempty" doc:"how many clicks" default:"1" min:"1" max:"3"`
}

// clickWith is page.click with a button, held keys and a count of clicks.
func clickWith(c *tool.Call, in ClickWithParams) error {
	held, err := tool.Modifiers("keys", in.Keys)
	if err != nil {
		return err
	}
	if in.Button == "left" && len(held) == 0 && in.Count == 1 {
		return clickOn(c, string(in.Sel))
	}
	if in.Button == "middle" {
		if err := moveOver(c, tool.SelParam{Sel: in.Sel}); err != nil {
			return err
		}
		if err := c.MayClick(in.Button); err != nil {
			return err
		}
	}
	return clickByDriver(c, string(in.Sel), playwright.FrameClickOptions{
		Button: tool.Pick[playwright.MouseButton](in.Button), Modifiers: held, ClickCount: &in.Count})
}

// tap is page.tap if the context has touch. Otherwise DevTools provides a touch screen,
// if the browser has DevTools.
func tap(c *tool.Call, in tool.SelParam) error {
	sel := string(in.Sel)
	err := c.Once(sel, func(timeout *float64, trial bool) error {
		return tool.Frame(c.Page).Tap(sel, playwright.FrameTapOptions{Timeout: timeout, Trial: &trial})
	})
	if err == nil || !pwerrors.IsNoTouch(err) {
		return err
	}
	return c.Fail(tapByDevTools(c, sel, c.Left()), sel)
}

// tapByDevTools sends a touch to the middle of what the viewport shows of an element.
func tapByDevTools(c *tool.Call, sel string, timeout *float64) error {
	l := tool.Frame(c.Page).Locator(sel).First()
	// A trial run of hover waits until the element can be reached.
	if err := l.Hover(playwright.LocatorHoverOptions{Timeout: timeout, Trial: playwright.Bool(true)}); err != nil {
		return err
	}
	box, err := l.BoundingBox()
	if err != nil || box == nil {
		return cmp.Or(err, error(provider.Errorf(provider.KindFailed, "%q is not visible", sel)))
	}
	shown := func(from, long float64, edge string) float64 {
		most, _ := c.PW.Evaluate(edge)
		return (max(from, 0) + min(from+long, float64(pwerrors.WholeNumber(most)))) / 2
	}
	x, y := shown(box.X, box.Width, "innerWidth"), shown(box.Y, box.Height, "innerHeight")
	if err := c.Emulate("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true}); err != nil {
		return err
	}
	c.Sends()
	at := aimAt(c, sel, x, y)
	if err := c.Emulate("Input.dispatchTouchEvent", map[string]any{"type": "touchStart",
		"touchPoints": []any{map[string]any{"x": x, "y": y}}}); err != nil {
		return err
	}
	if err := at.taken("it was not tapped"); err != nil {
		_ = c.Emulate("Input.dispatchTouchEvent", map[string]any{"type": "touchCancel", "touchPoints": []any{}})
		return err
	}
	if err := c.Emulate("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}}); err != nil {
		return err
	}
	return at.tapped()
}

type scrollParams struct {
	Sel tool.Selector `json:"sel,omitempty" doc:"selector; nothing for the page"`
	DX  float64       `json:"dx,omitempty" doc:"pixels to the right"`
	DY  float64       `json:"dy,omitempty" doc:"pixels down"`
	To  string        `json:"to,omitempty" doc:"an edge to scroll to instead" enum:"top,bottom,left,right"`
}

const scrollScript = `(el, a) => {
	el ??= document.scrollingElement ?? document.documentElement;
	if (!el) return false;
	const edge = {top: {top: 0}, bottom: {top: el.scrollHeight}, left: {left: 0}, right: {left: el.scrollWidth}}[a.to];
	if (edge) el.scrollTo({...edge, behavior: 'instant'});
	else el.scrollBy({left: a.dx, top: a.dy, behavior: 'instant'});
	return true;
}`

// scroll is locator.scrollIntoViewIfNeeded, or scrolls by script, for which the mouse
// position does not matter.
func scroll(c *tool.Call, in scrollParams) error {
	sel := string(in.Sel)
	if in.Sel == "" {
		if in.DX == 0 && in.DY == 0 && in.To == "" {
			return provider.Errorf(provider.KindArgs, "give sel, dx, dy or to")
		}
		done, err := tool.Frame(c.Page).Evaluate("a => ("+scrollScript+")(null, a)", in.arg())
		if err == nil && done == false {
			return provider.Errorf(provider.KindFailed,
				"the document has no root element, and nothing to scroll, on %s", c.Where())
		}
		return c.Fail(err, "")
	}
	return c.Attempt(sel, func(timeout *float64) error {
		l := tool.Frame(c.Page).Locator(sel).First()
		if in.DX == 0 && in.DY == 0 && in.To == "" {
			return l.ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: timeout})
		}
		_, err := l.Evaluate(scrollScript, in.arg(), playwright.LocatorEvaluateOptions{Timeout: timeout})
		return err
	})
}

func (in scrollParams) arg() map[string]any {
	return map[string]any{"dx": in.DX, "dy": in.DY, "to": in.To}
}
