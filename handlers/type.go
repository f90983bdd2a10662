package handlers

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

type typeParams struct {
	Sel   Selector `json:"sel" doc:"selector; \"\" for what has the focus"`
	Text  string   `json:"text" doc:"text"`
	Delay float64  `json:"delay,omitempty" doc:"milliseconds between keys" min:"0" max:"10000"`
}

// typeTime is the deadline of type: a long text takes its time. The element is
// waited for no longer than other actions wait, unless the caller says so.
const (
	typeTime  = 60 * time.Second
	focusTime = 10 * time.Second
)

// takeFocus gives an element the focus, in the page: see the file.
//
//go:embed focus.js
var takeFocus string

// What takeFocus answers.
const (
	focused     = "focused"
	unfocusable = "can't take the keyboard focus"
)

// typeText is locator.pressSequentially, key by key, because a Playwright call
// can't be taken back and a repeated one would type twice. Like it, it wants no
// visible element: editors and terminals type into one that nobody sees.
func typeText(c *call, in typeParams) error {
	sel := string(in.Sel)
	if in.Sel != "" {
		if err := c.upTo(focusTime, typeTime).focusForTyping(sel); err != nil {
			return err
		}
	}
	for i, r := range in.Text {
		if i > 0 && in.Delay > 0 {
			if err := c.pause(time.Duration(in.Delay * float64(time.Millisecond))); err != nil {
				return err
			}
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := c.typeRune(r); err != nil {
			return c.fail(err, sel)
		}
	}
	return nil
}

// typeRune presses the key of a character; one that no American keyboard has is
// put in as it is. (Keyboard.Type of playwright-go puts in all of them so, and
// the page hears of no key.)
func (c *call) typeRune(r rune) error {
	if r >= ' ' && r <= '~' || r == '\n' || r == '\r' {
		return c.pressed(string(r), noFocus, func() error { return c.pw.Keyboard().Press(string(r)) })
	}
	return c.pw.Keyboard().InsertText(string(r))
}

// focusForTyping waits until an element is there and has the focus. One that is
// hidden may come to be shown; of one that is shown and takes no focus there is
// nothing to wait for.
func (c *call) focusForTyping(sel string) error {
	err := c.attempt(sel, func(timeout *float64) error {
		until := time.Now().Add(time.Duration(*timeout * float64(time.Millisecond)))
		if _, err := c.frame().WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
			return err
		}
		for {
			state, err := c.frame().EvalOnSelector(sel, takeFocus, nil)
			switch {
			case err != nil:
				return err
			case state == focused:
				return nil
			case state == unfocusable:
				return provider.Errorf(provider.KindFailed, "%q %s on %s", sel, unfocusable, c.where()).WithHint(`type "" types into what has it`)
			}
			if c.pause(20*time.Millisecond) != nil || time.Now().After(until) {
				return fmt.Errorf("%w: %s", playwright.ErrTimeout, state)
			}
		}
	})
	if e := (*provider.Error)(nil); errors.As(err, &e) {
		e.Msg = strings.Replace(e.Msg, notReady, unfocusable, 1)
	}
	return err
}
