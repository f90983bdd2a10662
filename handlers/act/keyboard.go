package act

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/bundle"
	"pwpipe/provider"
)

// Tools of the keyboard.
var (
	Type = tool.TypedOnPageDo(tool.Act.Acts("type", "Type",
		"Type text key by key into an element, after its contents, or with \"\" into the focused element").
		Within(typeTime), typeText)
	Press = tool.TypedOnPageDo(tool.Act.Acts("press", "Press key",
		"Press a key or a chord such as Enter, Control+A, Shift+Tab"), press)
)

// KeyboardTools press and hold keys.
func KeyboardTools() []*provider.Tool {
	return []*provider.Tool{
		Type.Tool, Press.Tool,
		tool.OnPageDo(tool.Act.Acts("key-down", "Key down", "Hold a key down"), keyDown),
		tool.OnPageDo(tool.Act.Acts("key-up", "Key up", "Let a key go"), keyUp),
	}
}

// PressKeyParams are the parameters of [Press].
type PressKeyParams struct {
	Key string        `json:"key" doc:"key or chord: a, Enter, ArrowDown, Control+A, ControlOrMeta+C"`
	Sel tool.Selector `json:"sel,omitempty" doc:"selector; nothing for the focused element"`
}

// reKey is a key with a name, or a chord: no page has elements called so.
var reKey = regexp.MustCompile(`^(?:(?:Alt|Control|ControlOrMeta|Meta|Shift)\+)*` +
	`(?:Enter|Escape|Tab|Space|Backspace|Delete|Insert|Home|End|Page(?:Up|Down)|Arrow(?:Up|Down|Left|Right)|F\d\d?)$|` +
	`^(?:(?:Alt|Control|ControlOrMeta|Meta|Shift)\+)+.$`)

// press is page.press, or keyboard.press without a selector.
func press(c *tool.Call, in PressKeyParams) error {
	if reKey.MatchString(string(in.Sel)) && !reKey.MatchString(in.Key) { // in the order of other tools
		sel, err := c.Selector(in.Key)
		if err != nil {
			return err
		}
		in.Key, in.Sel = string(in.Sel), sel
	}
	if in.Sel == "" {
		c.Sends()
		err := c.PressKey(in.Key, func() error { return c.PW.Keyboard().Press(in.Key) })
		return keyError(c, c.Fail(err, ""), in.Key, in.Key)
	}
	return pressOn(c, string(in.Sel), in.Key)
}

// pressOn is frame.press on the first element of a selector. Only the wait for the
// element is repeated: a key that was sent may have submitted a form.
func pressOn(c *tool.Call, sel, key string) error {
	if err := focus(c, tool.SelParam{Sel: tool.Selector(sel)}); err != nil {
		return err
	}
	err := c.PressKey(key, func() error {
		return tool.Frame(c.Page).Press(sel, key, playwright.FramePressOptions{Timeout: c.Left()})
	})
	return keyError(c, c.Fail(err, sel), key, key)
}

type keyParams struct {
	Key string `json:"key" doc:"key, such as Shift, a or ArrowDown"`
}

// keyDown is keyboard.down.
func keyDown(c *tool.Call, in keyParams) error {
	c.Holds()
	c.Sends()
	err := c.PressKey(in.Key, func() error { return c.PW.Keyboard().Down(in.Key) })
	if err == nil {
		c.HoldKey(in.Key, true)
	}
	return keyError(c, c.Fail(err, ""), in.Key, "")
}

// keyUp is keyboard.up.
func keyUp(c *tool.Call, in keyParams) error {
	c.Sends()
	c.HoldKey(in.Key, false)
	return keyError(c, c.Fail(c.PW.Keyboard().Up(in.Key), ""), in.Key, "")
}

// keyError makes the error for a key that the keyboard lacks. It lets go of what a pressed chord ("": none) holds.
func keyError(c *tool.Call, err error, key, chord string) error {
	if err == nil || !pwerrors.IsUnknownKey(err) {
		return err
	}
	for held := range strings.SplitSeq(chord, "+") {
		_ = c.PW.Keyboard().Up(held)
	}
	return provider.Errorf(provider.KindArgs, "key: there is no key %q", key).
		WithHint("keys are named as in KeyboardEvent.key: a, Enter, Tab, ArrowDown, F1, Control+A")
}

// TypeParams are the parameters of [Type].
type TypeParams struct {
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
func typeText(c *tool.Call, in TypeParams) error {
	sel := string(in.Sel)
	var field playwright.ElementHandle // the text goes to it and to no other, whatever the page does meanwhile
	if in.Sel != "" {
		var err error
		if field, err = focusForTyping(c.UpTo(focusTime, typeTime), sel); err != nil {
			return err
		}
		defer func() { _ = field.Dispose() }()
	}
	if provider.HoldsSecret(c.Ctx, in.Text) {
		return typeSecret(c, field, in)
	}
	lost, keys := watchKeys(c, field, sel), 0
	for i, r := range in.Text {
		if i > 0 && in.Delay > 0 {
			if err := c.Pause(time.Duration(in.Delay * float64(time.Millisecond))); err != nil {
				return err
			}
		}
		if err := c.Ctx.Err(); err != nil {
			return err
		}
		if isKey(r) {
			keys++
		}
		if err := typeRune(c, r); err != nil {
			return c.Fail(err, sel)
		}
	}
	return lost(keys)
}

// watchKeys begins to watch where the keys go that are pressed for an element. lost ends that, with an error if a frame
// of another origin got some: they go to what has the focus. An element that is gone has nothing to tell.
func watchKeys(c *tool.Call, field playwright.ElementHandle, sel string) (lost func(keys int) error) {
	none := func(int) error { return nil }
	if field == nil || len(c.PW.Frames()) == 1 {
		return none
	}
	watch, err := field.EvaluateHandle(bundle.WatchKeys)
	if err != nil {
		return none
	}
	return func(keys int) error {
		defer func() { _ = watch.Dispose() }()
		if got, err := watch.Evaluate("(w, n) => w.lost(n, true)", keys); err != nil || got != true {
			return nil
		}
		return provider.Errorf(provider.KindFailed,
			"a frame of another origin has taken the keyboard focus from %q on %s, and may have got keys",
			sel, c.Where()).
			WithHint("`fill` types into the element's own document")
	}
}

// typeSecret is typeText for a text that no other document may get. A key of the browser goes to
// what has the focus by then; so these are the document's own events.
func typeSecret(c *tool.Call, field playwright.ElementHandle, in TypeParams) error {
	end, _ := c.Ctx.Deadline()
	arg := map[string]any{"text": in.Text, "delay": in.Delay, "end": end.UnixMilli()}
	var done any
	var err error
	if field == nil {
		done, err = tool.Frame(c.Page).Evaluate("a => ("+bundle.TypeText+")(document.body, a)", arg)
	} else {
		done, err = field.Evaluate(bundle.TypeText, arg)
	}
	if err == nil && done != true {
		err = provider.Errorf(provider.KindFailed,
			"the keyboard focus is not in a field of this document (%s), and the secret was not typed", c.Where()).
			WithHint("name the field; `frame` chooses a frame")
	}
	return c.Fail(err, string(in.Sel))
}

// typeRune presses the key of a character. A character that no American keyboard has is
// inserted directly.
func typeRune(c *tool.Call, r rune) error {
	c.Sends()
	if isKey(r) {
		return c.PressKey(string(r), func() error { return c.PW.Keyboard().Press(string(r)) })
	}
	return c.PW.Keyboard().InsertText(string(r))
}

// isKey reports whether an American keyboard has a key of a character.
func isKey(r rune) bool { return r >= ' ' && r <= '~' || r == '\n' || r == '\r' }

// focusForTyping waits until an element exists and has the focus. A hidden element may
// become visible, so it waits. A visible one that takes no focus is an error at once.
func focusForTyping(c *tool.Call, sel string) (field playwright.ElementHandle, err error) {
	err = c.Attempt(sel, func(timeout *float64) error {
		until := time.Now().Add(time.Duration(*timeout * float64(time.Millisecond)))
		for {
			e, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
				State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
			if err != nil {
				return err
			}
			state, err := e.Evaluate(takeFocus)
			if err == nil && state == focused {
				if err = placeCaret(c, sel, false); err == nil {
					field = e
					return nil
				}
			}
			_ = e.Dispose()
			switch {
			case err != nil:
				return err
			case state == unfocusable:
				return provider.Errorf(provider.KindFailed, "%q %s on %s", sel, unfocusable, c.Where()).
					WithHint(`type "" types into what has it`)
			}
			if c.Pause(20*time.Millisecond) != nil || time.Now().After(until) {
				return tool.Unready(fmt.Errorf("%w: %s", playwright.ErrTimeout, state), unfocusable)
			}
		}
	})
	return field, err
}
