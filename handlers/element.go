package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func elementTools() []*provider.Tool {
	return []*provider.Tool{
		onPageDo(Act.Acts("hover", "Hover", "Move the mouse over an element"), hover),
		onPageDo(Act.Acts("rclick", "Right click", "Click an element with another button, or with keys held"), clickWith),
		onPageDo(Act.Acts("tap", "Tap", "Tap an element with a finger"), tap),
		onPageDo(Act.Acts("uncheck", "Uncheck", "Uncheck a checkbox"), uncheck),
		onPageDo(Act.Acts("focus", "Focus", "Put the keyboard focus on an element"), focus),
		onPageDo(Act.Acts("blur", "Blur", "Take the keyboard focus off an element"), blur),
		onPageDo(Act.Acts("scroll", "Scroll", "Scroll an element into view, or it (without a selector the page) by pixels or to an edge"), scroll),
		onPageDo(Act.Acts("drag", "Drag", "Drag an element onto another, with the mouse"), drag),
	}
}

// hover is page.hover.
func hover(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Hover(sel, playwright.FrameHoverOptions{Timeout: timeout})
	})
}

type clickWithParams struct {
	Sel    Selector `json:"sel" doc:"selector"`
	Button string   `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"right"`
	Keys   []string `json:"keys,omitempty" doc:"keys held meanwhile: Alt, Control, ControlOrMeta, Meta, Shift"`
	Count  int      `json:"count,omitempty" doc:"how many clicks" default:"1" min:"1" max:"3"`
}

// clickWith is page.click with a button, modifiers and a count.
func clickWith(c *call, in clickWithParams) error {
	sel := string(in.Sel)
	if err := c.mayUse(in.Button); err != nil {
		return err
	}
	button := playwright.MouseButton(in.Button)
	o := playwright.FrameClickOptions{Button: &button, ClickCount: &in.Count}
	for _, k := range in.Keys {
		switch k {
		case "Alt", "Control", "ControlOrMeta", "Meta", "Shift":
			o.Modifiers = append(o.Modifiers, playwright.KeyboardModifier(k))
		default:
			return provider.Errorf(provider.KindArgs, "keys: expected Alt, Control, ControlOrMeta, Meta or Shift, got %q", k)
		}
	}
	return c.once(sel, func(timeout *float64, trial bool) error {
		o.Timeout, o.Trial = timeout, &trial
		return c.frame().Click(sel, o)
	})
}

// tap is page.tap where the context has touch; elsewhere DevTools lends it a
// touch screen, where the browser has DevTools.
func tap(c *call, in selParam) error {
	sel := string(in.Sel)
	err := c.once(sel, func(timeout *float64, trial bool) error {
		return c.frame().Tap(sel, playwright.FrameTapOptions{Timeout: timeout, Trial: &trial})
	})
	if err == nil || !mentions(err, "does not support tap") {
		return err
	}
	return c.fail(c.tapByDevTools(sel, c.left()), sel)
}

// tapByDevTools sends a touch to the middle of an element.
func (c *call) tapByDevTools(sel string, timeout *float64) error {
	l := c.frame().Locator(sel).First()
	// A trial run of hover waits until the element can be reached.
	if err := l.Hover(playwright.LocatorHoverOptions{Timeout: timeout, Trial: playwright.Bool(true)}); err != nil {
		return err
	}
	box, err := l.BoundingBox()
	if err != nil {
		return err
	}
	if box == nil {
		return provider.Errorf(provider.KindFailed, "%q is not visible", sel)
	}
	x, y := box.X+box.Width/2, box.Y+box.Height/2
	if err := c.emulate("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true}); err != nil {
		return err
	}
	if err := c.emulate("Input.dispatchTouchEvent", map[string]any{"type": "touchStart",
		"touchPoints": []any{map[string]any{"x": x, "y": y}}}); err != nil {
		return err
	}
	return c.emulate("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}})
}

// uncheck is page.uncheck.
func uncheck(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Uncheck(sel, playwright.FrameUncheckOptions{Timeout: timeout})
	})
}

// focus is page.focus.
func focus(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Focus(sel, playwright.FrameFocusOptions{Timeout: timeout})
	})
}

// blur is locator.blur.
func blur(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Locator(sel).First().Blur(playwright.LocatorBlurOptions{Timeout: timeout})
	})
}

type scrollParams struct {
	Sel Selector `json:"sel,omitempty" doc:"selector; nothing for the page"`
	DX  float64  `json:"dx,omitempty" doc:"pixels to the right"`
	DY  float64  `json:"dy,omitempty" doc:"pixels down"`
	To  string   `json:"to,omitempty" doc:"an edge to scroll to instead" enum:"top,bottom,left,right"`
}

const scrollScript = `(el, a) => {
	el ??= document.scrollingElement ?? document.documentElement;
	const edge = {top: {top: 0}, bottom: {top: el.scrollHeight}, left: {left: 0}, right: {left: el.scrollWidth}}[a.to];
	if (edge) el.scrollTo({...edge, behavior: 'instant'});
	else el.scrollBy({left: a.dx, top: a.dy, behavior: 'instant'});
}`

// scroll is locator.scrollIntoViewIfNeeded, or scrolls by script, which needs
// no mouse over the right place.
func scroll(c *call, in scrollParams) error {
	sel := string(in.Sel)
	if in.Sel == "" {
		if in.DX == 0 && in.DY == 0 && in.To == "" {
			return provider.Errorf(provider.KindArgs, "give sel, dx, dy or to")
		}
		_, err := c.frame().Evaluate("a => ("+scrollScript+")(null, a)", in.arg())
		return c.fail(err, "")
	}
	return c.attempt(sel, func(timeout *float64) error {
		l := c.frame().Locator(sel).First()
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
