package clipboard

import (
	"slices"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
)

// Input reports whether a DevTools input command would paste the shared clipboard: then
// call [Paste] instead. Its error is for commands that paste what others have selected.
func Input(method string, params map[string]any) (pastes bool, err error) {
	switch method {
	case "Input.dispatchMouseEvent", "Input.emulateTouchFromMouseEvent":
		if params["button"] == "middle" {
			return false, errMiddleButton()
		}
	case "Input.dispatchKeyEvent":
		code, modifiers := pwerrors.WholeNumber(params["windowsVirtualKeyCode"]), pwerrors.WholeNumber(params["modifiers"])
		commands, _ := params["commands"].([]any)
		if slices.ContainsFunc(commands, func(c any) bool {
			name, _ := c.(string)
			return strings.Contains(strings.ToLower(name), "paste") || strings.Contains(strings.ToLower(name), "yank")
		}) {
			return true, nil
		}
		const vKey, insertKey = 86, 45
		const control, meta, shift = 2, 4, 8
		if params["key"] == "Paste" {
			return params["type"] != "keyUp", nil
		}
		chord := code == vKey && modifiers&(control|meta) != 0 || code == insertKey && modifiers&shift != 0
		return chord && params["type"] != "keyUp", nil
	}
	return false, nil
}

// Paste pastes the clipboard of a page's session at the focus. The session has a
// clipboard of its own.
func Paste(p *browser.Page) error { return ClipboardOf(p.Session).paste(p) }
