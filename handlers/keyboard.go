package handlers

import (
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func keyboardTools() []*provider.Tool {
	act := func(name, title, doc string) provider.Spec {
		return inProfile("act", name, title, doc, 10, provider.Acts)
	}
	slow := act("type", "Type", "Type text into an element key by key, after what it holds")
	slow.Timeout = 60 * time.Second
	return []*provider.Tool{
		onPage(slow, typeText),
		onPage(act("press", "Press key", "Press a key or a chord such as Enter, Control+A, Shift+Tab"), press),
		onPage(act("key-down", "Key down", "Hold a key down"), keyDown),
		onPage(act("key-up", "Key up", "Let a key go"), keyUp),
	}
}

type typeParams struct {
	Sel   string  `json:"sel" doc:"selector; \"\" for what has the focus"`
	Text  string  `json:"text" doc:"text"`
	Delay float64 `json:"delay,omitempty" doc:"milliseconds between keys" min:"0" max:"10000"`
}

// typeChunk is how many keys are sent at once where no delay is wanted: few
// enough that a cancelled request stops soon.
const typeChunk = 32

// caretScript puts the caret behind what an element holds, unless it has the
// focus, and with it a caret, already.
const caretScript = `el => {
	if (el.getRootNode().activeElement === el) return;
	el.focus();
	if (el.isContentEditable) getSelection().selectAllChildren(el), getSelection().collapseToEnd();
	else try { el.setSelectionRange(el.value.length, el.value.length) } catch {} // not every input has a caret
}`

// typeText is locator.pressSequentially in pieces, because a Playwright call
// can't be taken back and a repeated one would type twice.
func typeText(c *call, in typeParams) (none, error) {
	if in.Sel != "" {
		if err := c.attempt(in.Sel, func(timeout *float64) error {
			_, err := c.frame().Locator(in.Sel).First().Evaluate(caretScript, nil, playwright.LocatorEvaluateOptions{Timeout: timeout})
			if err != nil {
				return err
			}
			return c.frame().Locator(in.Sel).First().PressSequentially("", playwright.LocatorPressSequentiallyOptions{Timeout: timeout})
		}); err != nil {
			return none{}, err
		}
	}
	runes := []rune(in.Text)
	size := typeChunk
	if in.Delay > 0 {
		size = 1
	}
	for len(runes) > 0 {
		n := min(size, len(runes))
		if err := c.pw.Keyboard().Type(string(runes[:n])); err != nil {
			return none{}, c.fail(err, in.Sel)
		}
		runes = runes[n:]
		if len(runes) > 0 && in.Delay > 0 {
			if err := c.pause(time.Duration(in.Delay * float64(time.Millisecond))); err != nil {
				return none{}, err
			}
		}
		if err := c.ctx.Err(); err != nil {
			return none{}, err
		}
	}
	return none{}, nil
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
	Key string `json:"key" doc:"key or chord: a, Enter, ArrowDown, Control+A, ControlOrMeta+C"`
	Sel string `json:"sel,omitempty" doc:"selector of what gets the key; nothing for what has the focus"`
}

// focusFirst waits for an element in a way that may be repeated, before
// something is done to it that may not.
func focusFirst(c *call, sel string) error {
	_, err := focus(c, selParam{Sel: sel})
	return err
}

// press is page.press, or keyboard.press without a selector.
func press(c *call, in pressKeyParams) (none, error) {
	if in.Sel == "" {
		return none{}, keyError(c.fail(c.pw.Keyboard().Press(in.Key), ""), in.Key)
	}
	if err := focusFirst(c, in.Sel); err != nil {
		return none{}, err
	}
	return none{}, keyError(c.fail(c.frame().Press(in.Sel, in.Key, playwright.FramePressOptions{Timeout: c.left()}), in.Sel), in.Key)
}

type keyParams struct {
	Key string `json:"key" doc:"key, such as Shift, a or ArrowDown"`
}

// keyDown is keyboard.down.
func keyDown(c *call, in keyParams) (none, error) {
	return none{}, keyError(c.fail(c.pw.Keyboard().Down(in.Key), ""), in.Key)
}

// keyUp is keyboard.up.
func keyUp(c *call, in keyParams) (none, error) {
	return none{}, keyError(c.fail(c.pw.Keyboard().Up(in.Key), ""), in.Key)
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
