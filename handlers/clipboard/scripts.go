package clipboard

import (
	"reflect"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/words"
	"pwpipe/provider"
)

// InsteadOf is what a script's call does where the session has a clipboard of
// its own: what would paste from the browser's pastes from that, or is refused.
func InsteadOf(s *browser.Session, self any, method string, args []any) func() (any, error) {
	refuse := func(err error) func() (any, error) { return func() (any, error) { return nil, err } }
	switch {
	case ClipboardOf(s) == nil:
		return nil
	case slices.ContainsFunc(args, middleButton):
		return refuse(errMiddleButton())
	}
	switch self := self.(type) {
	case playwright.Keyboard:
		return keyboard(s, self, method, args)
	case playwright.BrowserContext:
		if names, _ := argument(args, 0).([]string); method == "GrantPermissions" && slices.Contains(names, "clipboard-read") {
			return refuse(ErrClipboardRead())
		}
	case playwright.CDPSession:
		if method == "Send" {
			if err := pastingCommand(args); err != nil {
				return refuse(err)
			}
		}
	default:
		return keysOn(s, self, method, args)
	}
	return nil
}

// keyboard is page.keyboard of a script.
func keyboard(s *browser.Session, k playwright.Keyboard, method string, args []any) func() (any, error) {
	i := slices.IndexFunc(s.OpenPages(), func(p *browser.Page) bool { return p.PW.Keyboard() == k })
	text, ok := argument(args, 0).(string)
	if i < 0 || !ok {
		return nil
	}
	p := s.OpenPages()[i]
	switch held := keysHeld(p); {
	case method == "Up":
		HoldKey(p, text, false)
	case (method == "Down" || method == "Press") && pastes(text, held):
		return func() (any, error) { return nil, ClipboardOf(s).paste(p) }
	case method == "Down":
		HoldKey(p, text, true)
	case method == "Type" && pastesText(text, held):
		return func() (any, error) { return nil, errHeldKeys() }
	}
	return nil
}

// keysOn is what presses and types on an element: of a page, a frame, a locator
// or an element handle.
func keysOn(s *browser.Session, self any, method string, args []any) func() (any, error) {
	if method != "Press" && method != "Type" && method != "PressSequentially" {
		return nil
	}
	p, focus := keyTarget(s, self, args)
	if p == nil {
		return nil
	}
	at := 0
	switch self.(type) {
	case playwright.Page, playwright.Frame:
		at = 1
	}
	text, _ := argument(args, at).(string)
	switch held := keysHeld(p); {
	case method == "Press" && pastes(text, held):
		return func() (any, error) {
			if err := focus(); err != nil {
				return nil, err
			}
			return nil, ClipboardOf(s).paste(p)
		}
	case method != "Press" && pastesText(text, held):
		return func() (any, error) { return nil, errHeldKeys() }
	}
	return nil
}

// keyTarget is the page that keys go to, and what puts the focus there.
func keyTarget(s *browser.Session, self any, args []any) (*browser.Page, func() error) {
	sel, _ := argument(args, 0).(string)
	switch self := self.(type) {
	case playwright.Page:
		return s.Find(self), func() error { return self.Focus(sel) }
	case playwright.Frame:
		return s.Find(self.Page()), func() error { return self.Focus(sel) }
	case playwright.Locator:
		pw, err := self.Page()
		if err != nil {
			return nil, nil
		}
		return s.Find(pw), func() error { return self.Focus() }
	case playwright.ElementHandle:
		f, err := self.OwnerFrame()
		if err != nil || f == nil {
			return nil, nil
		}
		return s.Find(f.Page()), self.Focus
	}
	return nil, nil
}

func errHeldKeys() error {
	return provider.Errorf(provider.KindBlocked, "blocked: with Control held this would paste the browser's clipboard, which is everybody's").
		WithHint("press Control+V: it pastes the session's own")
}

// middleButton tells the options that name the middle button.
func middleButton(arg any) bool {
	v := reflect.ValueOf(arg)
	if v.Kind() != reflect.Struct || !v.FieldByName("Button").IsValid() {
		return false
	}
	b, ok := v.FieldByName("Button").Interface().(*playwright.MouseButton)
	return ok && b != nil && *b == *playwright.MouseButtonMiddle
}

// pastingCommand refuses the DevTools commands that paste.
func pastingCommand(args []any) error {
	method, _ := argument(args, 0).(string)
	params, _ := argument(args, 1).(map[string]any)
	return MayInput(method, params)
}

// MayInput refuses a DevTools command that pastes, where the clipboard is
// everybody's.
func MayInput(method string, params map[string]any) error {
	switch method {
	case "Input.dispatchMouseEvent", "Input.emulateTouchFromMouseEvent":
		if params["button"] == "middle" {
			return errMiddleButton()
		}
	case "Input.dispatchKeyEvent":
		code, modifiers := words.WholeNumber(params["windowsVirtualKeyCode"]), words.WholeNumber(params["modifiers"])
		commands, _ := params["commands"].([]any)
		paste := slices.ContainsFunc(commands, func(c any) bool {
			name, _ := c.(string)
			return strings.Contains(strings.ToLower(name), "paste") || strings.Contains(strings.ToLower(name), "yank")
		})
		const vKey, insertKey = 86, 45
		const control, meta, shift = 2, 4, 8
		if paste || code == vKey && modifiers&(control|meta) != 0 || code == insertKey && modifiers&shift != 0 {
			return provider.Errorf(provider.KindBlocked, "blocked: %s: it would paste the browser's clipboard, which is everybody's", method).
				WithHint("keyboard.press('Control+V') pastes the session's own")
		}
	}
	return nil
}

// argument is one of a call's, nil for one that was not given.
func argument(args []any, i int) any {
	if i >= len(args) {
		return nil
	}
	return args[i]
}
