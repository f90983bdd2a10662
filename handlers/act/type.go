package act

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type typeParams struct {
	Sel   tool.Selector `json:"sel" doc:"selector; \"\" for what has the focus"`
	Text  string        `json:"text" doc:"text"`
	Delay float64       `json:"delay,omitempty" doc:"milliseconds between keys" min:"0" max:"10000"`
}

// typeTime is the deadline of type, since a long text takes long. The wait for the
// element is as long as in other actions, unless the caller sets a timeout.
const (
	typeTime  = 60 * time.Second
	focusTime = 10 * time.Second
)

// takeFocus focuses an element, in the page: see the file.
//
//go:embed focus.js
var takeFocus string

// The answers of takeFocus.
const (
	focused     = "focused"
	unfocusable = "can't take the keyboard focus"
)

// typeText is locator.pressSequentially, key by key: a Playwright call can't be
// cancelled, and a repeated one would type twice. Like it, it does not require a
// visible element: editors and terminals type into an invisible one.
func typeText(c *tool.Call, in typeParams) error {
	sel := string(in.Sel)
	if in.Sel != "" {
		if err := focusForTyping(c.UpTo(focusTime, typeTime), sel); err != nil {
			return err
		}
	}
	for i, r := range in.Text {
		if i > 0 && in.Delay > 0 {
			if err := c.Pause(time.Duration(in.Delay * float64(time.Millisecond))); err != nil {
				return err
			}
		}
		if err := c.Ctx.Err(); err != nil {
			return err
		}
		if err := typeRune(c, r); err != nil {
			return c.Fail(err, sel)
		}
	}
	return nil
}

// typeRune presses the key of a character. A character that no American keyboard has is
// inserted directly.
func typeRune(c *tool.Call, r rune) error {
	if r >= ' ' && r <= '~' || r == '\n' || r == '\r' {
		return clipboard.Pressed(c.Page, string(r), clipboard.NoFocus, func() error { return c.PW.Keyboard().Press(string(r)) })
	}
	return c.PW.Keyboard().InsertText(string(r))
}

// focusForTyping waits until an element exists and has the focus. A hidden element may
// become visible, so it waits. A visible one that takes no focus is an error at once.
func focusForTyping(c *tool.Call, sel string) error {
	return c.Attempt(sel, func(timeout *float64) error {
		until := time.Now().Add(time.Duration(*timeout * float64(time.Millisecond)))
		if _, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
			return err
		}
		for {
			state, err := tool.Frame(c.Page).EvalOnSelector(sel, takeFocus, nil)
			switch {
			case err != nil:
				return err
			case state == focused:
				return nil
			case state == unfocusable:
				return provider.Errorf(provider.KindFailed, "%q %s on %s", sel, unfocusable, c.Where()).WithHint(`type "" types into what has it`)
			}
			if c.Pause(20*time.Millisecond) != nil || time.Now().After(until) {
				return tool.Unready(fmt.Errorf("%w: %s", playwright.ErrTimeout, state), unfocusable)
			}
		}
	})
}
