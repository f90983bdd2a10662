package tabwall

import (
	"fmt"
	"testing"
)

// TestClipboardKeys: each key that Chromium makes a command for the clipboard of, with each set of modifiers, loses
// its code, and keeps it otherwise: Control+Delete deletes a word.
func TestClipboardKeys(t *testing.T) {
	const alt = 1
	for code, uses := range map[int64]func(modifiers int64) bool{
		codeC: func(m int64) bool { return m&(control|meta) != 0 },
		codeV: func(m int64) bool { return m&(control|meta) != 0 },
		codeX: func(m int64) bool { return m&(control|meta) != 0 },
		// Control+Insert copies, Shift+Insert pastes.
		codeInsert: func(m int64) bool { return m&(control|meta|shift) != 0 },
		// Shift+Delete cuts.
		codeDelete: func(m int64) bool { return m&shift != 0 },
		'A':        func(int64) bool { return false },
	} {
		for modifiers := range int64(alt|control|meta|shift) + 1 {
			params := fmt.Sprintf(`{"modifiers":%d,"windowsVirtualKeyCode":%d}`, modifiers, code)
			sent := judged("Input.dispatchKeyEvent", params, false)
			has := judged("Input.dispatchKeyEvent", fmt.Sprintf(`{"modifiers":%d}`, modifiers), false)
			if uses(modifiers) != (sent == has) {
				t.Errorf("%s: sent %s", params, sent)
			}
		}
	}
}
