package endpoint_test

import (
	"testing"

	"pwpipe/features/clipboard"
)

// TestKeysThatPaste: commands that would paste the clipboard which sessions share are known.
func TestKeysThatPaste(t *testing.T) {
	for _, c := range []struct {
		want   bool
		params map[string]any
	}{
		{true, map[string]any{"type": "rawKeyDown", "key": "Paste"}},
		{true, map[string]any{"type": "rawKeyDown", "windowsVirtualKeyCode": float64(86), "modifiers": float64(2)}},
		{true, map[string]any{"type": "char", "text": "v", "commands": []any{"pasteAndMatchStyle"}}},
		{false, map[string]any{"type": "keyUp", "key": "Paste"}},
		{false, map[string]any{"type": "rawKeyDown", "key": "v"}},
	} {
		if got, err := clipboard.Input("Input.dispatchKeyEvent", c.params); got != c.want || err != nil {
			t.Errorf("%v: %v, %v", c.params, got, err)
		}
	}
}
