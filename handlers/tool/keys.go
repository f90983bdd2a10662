package tool

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// reKey matches the names of keys that Playwright knows, besides single
// characters. With a name that it does not know it tries until the deadline.
var reKey = regexp.MustCompile(`^(F([1-9]|1[0-9]|2[0-4])|Digit[0-9]|Key[A-Z]|Numpad([0-9]|Multiply|Subtract|Add|Divide|Decimal|Enter)|` +
	`Backquote|Minus|Equal|Backslash|Backspace|Tab|Delete|Escape|Enter|Space|Arrow(Up|Down|Left|Right)|End|Home|Insert|` +
	`Page(Up|Down)|CapsLock|NumLock|ScrollLock|Pause|PrintScreen|ContextMenu|Bracket(Left|Right)|Semicolon|Quote|Comma|Period|Slash|` +
	`(Shift|Control|Alt|Meta)(Left|Right)?|ControlOrMeta|AltGraph|Clear|Cancel|Help|Select|Accept|ModeChange|Print|Execute|` +
	`(Media|AudioVolume)\w+)$`)

// CheckKey refuses a key, or a combination such as Control+a, that does not
// exist.
func CheckKey(key string) error {
	parts := strings.Split(strings.TrimSuffix(key, "++"), "+")
	if key == "+" {
		parts = nil
	}
	for _, p := range parts {
		if utf8.RuneCountInString(p) != 1 && !reKey.MatchString(p) {
			return provider.Errorf(provider.KindArgs, "key: there is no key %q", p).WithHint("such as Enter, ArrowDown, a, Control+a")
		}
	}
	return nil
}

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
