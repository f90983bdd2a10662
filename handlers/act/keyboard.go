package act

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// KeyboardTools press and hold keys.
func KeyboardTools() []*provider.Tool {
	slow := tool.Act.Acts("type", "Type",
		"Type text key by key into an element, after its contents, or with \"\" into the focused element")
	slow.Timeout = typeTime
	return []*provider.Tool{
		tool.OnPageDo(slow, typeText),
		tool.OnPageDo(tool.Act.Acts("press", "Press key",
			"Press a key or a chord such as Enter, Control+A, Shift+Tab"), press),
		tool.OnPageDo(tool.Act.Acts("key-down", "Key down", "Hold a key down"), keyDown),
		tool.OnPageDo(tool.Act.Acts("key-up", "Key up", "Let a key go"), keyUp),
	}
}

type pressKeyParams struct {
	Key string        `json:"key" doc:"key or chord: a, Enter, ArrowDown, Control+A, ControlOrMeta+C"`
	Sel tool.Selector `json:"sel,omitempty" doc:"selector; nothing for the focused element"`
}

// press is page.press, or keyboard.press without a selector.
func press(c *tool.Call, in pressKeyParams) error {
	if in.Sel == "" {
		err := clipboard.Pressed(c.Page, in.Key, clipboard.NoFocus, func() error { return c.PW.Keyboard().Press(in.Key) })
		return keyError(c.Fail(err, ""), in.Key)
	}
	return Press(c, string(in.Sel), in.Key)
}

// Press is frame.press on the first element of a selector. Only the wait for the
// element is repeated: a key that was sent may have submitted a form.
func Press(c *tool.Call, sel, key string) error {
	frame := tool.Frame(c.Page)
	err := c.Attempt(sel, func(timeout *float64) error {
		return frame.Focus(sel, playwright.FrameFocusOptions{Timeout: timeout})
	})
	if err != nil {
		return err
	}
	err = clipboard.Pressed(c.Page, key, clipboard.NoFocus, func() error {
		return frame.Press(sel, key, playwright.FramePressOptions{Timeout: c.Left()})
	})
	return keyError(c.Fail(err, sel), key)
}

type keyParams struct {
	Key string `json:"key" doc:"key, such as Shift, a or ArrowDown"`
}

// keyDown is keyboard.down.
func keyDown(c *tool.Call, in keyParams) error {
	c.Holds()
	err := clipboard.Pressed(c.Page, in.Key, clipboard.NoFocus, func() error { return c.PW.Keyboard().Down(in.Key) })
	if err == nil {
		clipboard.HoldKey(c.Page, in.Key, true)
	}
	return keyError(c.Fail(err, ""), in.Key)
}

// keyUp is keyboard.up.
func keyUp(c *tool.Call, in keyParams) error {
	clipboard.HoldKey(c.Page, in.Key, false)
	return keyError(c.Fail(c.PW.Keyboard().Up(in.Key), ""), in.Key)
}

// keyError makes the error for a key that the keyboard does not have.
func keyError(err error, key string) error {
	if err == nil || !pwerrors.IsUnknownKey(err) {
		return err
	}
	return provider.Errorf(provider.KindArgs, "key: there is no key %q", key).
		WithHint("keys are named as in KeyboardEvent.key: a, Enter, Tab, ArrowDown, F1, Control+A")
}
