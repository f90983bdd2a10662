package lend

import "encoding/json"

// pressKey is the rule of keys. A key with a code of the system's is the browser's where the page
// does not take it: it would open tabs in the person's window, and close the one in front.
func pressKey(c *command) error {
	return c.read(&struct {
		Type       json.RawMessage `json:"type,omitempty"`
		Modifiers  json.RawMessage `json:"modifiers,omitempty"`
		Timestamp  json.RawMessage `json:"timestamp,omitempty"`
		Text       json.RawMessage `json:"text,omitempty"`
		Unmodified json.RawMessage `json:"unmodifiedText,omitempty"`
		Identifier json.RawMessage `json:"keyIdentifier,omitempty"`
		Code       json.RawMessage `json:"code,omitempty"`
		Key        json.RawMessage `json:"key,omitempty"`
		Windows    json.RawMessage `json:"windowsVirtualKeyCode,omitempty"`
		Repeats    json.RawMessage `json:"autoRepeat,omitempty"`
		Keypad     json.RawMessage `json:"isKeypad,omitempty"`
		System     json.RawMessage `json:"isSystemKey,omitempty"`
		Location   json.RawMessage `json:"location,omitempty"`
		Commands   json.RawMessage `json:"commands,omitempty"`
	}{})
}
