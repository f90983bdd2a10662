package tool

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// Modifiers are the keys that are held during a click, as a parameter of that
// name lists them.
func Modifiers(param string, keys []string) (held []playwright.KeyboardModifier, err error) {
	for _, k := range keys {
		switch k {
		case "Alt", "Control", "ControlOrMeta", "Meta", "Shift":
			held = append(held, playwright.KeyboardModifier(k))
		default:
			return nil, provider.Errorf(provider.KindArgs, "%s: expected Alt, Control, ControlOrMeta, Meta or Shift, got %q", param, k)
		}
	}
	return held, nil
}
