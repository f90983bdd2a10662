package handlers

import (
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func keyboardTools() []*provider.Tool {
	slow := Act.Acts("type", "Type", "Type text key by key into an element, after what it holds, or with \"\" into what has the focus")
	slow.Timeout = typeTime
	return []*provider.Tool{
		onPageDo(slow, typeText),
		onPageDo(Act.Acts("press", "Press key", "Press a key or a chord such as Enter, Control+A, Shift+Tab"), press),
		onPageDo(Act.Acts("key-down", "Key down", "Hold a key down"), keyDown),
		onPageDo(Act.Acts("key-up", "Key up", "Let a key go"), keyUp),
	}
}

// pause waits for d, or less when the request ends first.
func (c *call) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
}

type pressKeyParams struct {
	Key string   `json:"key" doc:"key or chord: a, Enter, ArrowDown, Control+A, ControlOrMeta+C"`
	Sel Selector `json:"sel,omitempty" doc:"selector of what gets the key; nothing for what has the focus"`
}

// focusFirst waits for an element in a way that may be repeated, before
// something is done to it that may not.
func focusFirst(c *call, sel string) error {
	err := focus(c, selParam{Sel: Selector(sel)})
	return err
}

// press is page.press, or keyboard.press without a selector.
func press(c *call, in pressKeyParams) error {
	sel := string(in.Sel)
	if in.Sel == "" {
		err := c.pressed(in.Key, noFocus, func() error { return c.pw.Keyboard().Press(in.Key) })
		return keyError(c.fail(err, ""), in.Key)
	}
	if err := focusFirst(c, sel); err != nil {
		return err
	}
	err := c.pressed(in.Key, noFocus, func() error {
		return c.frame().Press(sel, in.Key, playwright.FramePressOptions{Timeout: c.left()})
	})
	return keyError(c.fail(err, sel), in.Key)
}

type keyParams struct {
	Key string `json:"key" doc:"key, such as Shift, a or ArrowDown"`
}

// keyDown is keyboard.down.
func keyDown(c *call, in keyParams) error {
	err := c.pressed(in.Key, noFocus, func() error { return c.pw.Keyboard().Down(in.Key) })
	if err == nil {
		c.page.holdKey(in.Key, true)
	}
	return keyError(c.fail(err, ""), in.Key)
}

// keyUp is keyboard.up.
func keyUp(c *call, in keyParams) error {
	c.page.holdKey(in.Key, false)
	return keyError(c.fail(c.pw.Keyboard().Up(in.Key), ""), in.Key)
}

// keyError words a key that the keyboard does not have.
func keyError(err error, key string) error {
	if err == nil || !mentions(err, "Unknown key") {
		return err
	}
	return provider.Errorf(provider.KindArgs, "key: there is no key %q", key).
		WithHint("keys are named as in KeyboardEvent.key: a, Enter, Tab, ArrowDown, F1, Control+A")
}

// mentions reports whether Playwright's words are in an error.
func mentions(err error, words string) bool { return strings.Contains(err.Error(), words) }
