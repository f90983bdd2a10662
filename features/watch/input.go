package watch

import (
	"math"
	"slices"
	"unicode/utf8"

	"pwpipe/features/clipboard"
	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// A person's actions in the live picture go to the page as DevTools input: only mouse
// and keys, behind the same walls as the session's calls. Where the session's requests are
// logged, what they did on the page is, too.

// hands are on the page on which the person with the session works.
type hands struct {
	page          *browser.Page
	with          *cdp.Session
	width, height float64 // of the page's viewport
}

// byHand is an action of hands. Without the session it does nothing.
func byHand(do func(hands, doing) error) func(*viewer, doing) error {
	return func(v *viewer, d doing) error {
		l := v.looked()
		if l == nil || !l.of.holds(v) {
			return nil
		}
		l.mu.Lock()
		s, p := l.live, l.pages
		l.mu.Unlock()
		if s == nil || !mayShow(p) {
			return nil
		}
		s.of.mu.Lock()
		with, last := s.of.with, s.of.last
		s.of.mu.Unlock()
		if with == nil || last == nil {
			return nil
		}
		return do(hands{p, with, last.width, last.height}, d)
	}
}

// send sends input, unless it would paste the shared clipboard.
func (h hands) send(method string, params map[string]any) error {
	if clipboard.ClipboardOf(h.page.Session) != nil {
		pastes, err := clipboard.Input(method, params)
		if err != nil {
			err = clipboard.MayPressOn(h.page, method, params)
		}
		if pastes || err != nil {
			return provider.Errorf(provider.KindBlocked, "blocked: the browser's clipboard is not the session's alone; paste into the picture, or use the field for text")
		}
	}
	h.page.Session.Browser.Acted(h.page.Context)
	h.with.Send(method, params, nil)
	return nil
}

var buttons = []string{"none", "left", "right", "middle"}

// mouse is Input.dispatchMouseEvent.
func (h hands) mouse(d doing) error {
	x, y, ok := h.at(d)
	kind := map[string]string{"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased"}[d.Type]
	if !ok || kind == "" || !slices.Contains(buttons, d.Button) {
		return nil
	}
	return h.send("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": d.Button, "buttons": d.Buttons & 7,
		"clickCount": min(max(d.Clicks, 0), 3), "modifiers": d.Mods & 15})
}

// wheel is Input.dispatchMouseEvent of a wheel.
func (h hands) wheel(d doing) error {
	x, y, ok := h.at(d)
	if !ok || math.Abs(d.DX) > 10_000 || math.Abs(d.DY) > 10_000 {
		return nil
	}
	return h.send("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": d.DX, "deltaY": d.DY, "modifiers": d.Mods & 15})
}

// at converts a point of the picture to a point of the page.
func (h hands) at(d doing) (x, y float64, ok bool) {
	ok = d.X >= 0 && d.X <= 1 && d.Y >= 0 && d.Y <= 1
	return d.X * h.width, d.Y * h.height, ok
}

// longestKey bounds the names of keys.
const longestKey = 32

// key is Input.dispatchKeyEvent.
func (h hands) key(d doing) error {
	if len(d.Key) > longestKey || len(d.Code) > longestKey || d.KeyCode < 0 || d.KeyCode > 255 || d.Type != "down" && d.Type != "up" {
		return nil
	}
	params := map[string]any{"type": "keyUp", "key": d.Key, "code": d.Code, "windowsVirtualKeyCode": d.KeyCode, "modifiers": d.Mods & 15}
	if d.Type == "down" {
		params["type"] = "rawKeyDown"
		const control, meta = 2, 4
		switch {
		case d.Mods&(control|meta) != 0:
		case d.Key == "Enter":
			params["type"], params["text"] = "keyDown", "\r"
		case utf8.RuneCountInString(d.Key) == 1:
			params["type"], params["text"] = "keyDown", d.Key
		}
	}
	return h.send("Input.dispatchKeyEvent", params)
}

// longestText bounds a typed or pasted text, in bytes.
const longestText = 32 << 10

// text is Input.insertText: a pasted text, or one from the field beside the picture.
func (h hands) text(d doing) error {
	if d.Text == "" {
		return nil
	}
	if len(d.Text) > longestText {
		return provider.Errorf(provider.KindLimit, "the text is over %d bytes", longestText)
	}
	return h.send("Input.insertText", map[string]any{"text": d.Text})
}
