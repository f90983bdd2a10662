package watch

import (
	"math"
	"unicode/utf8"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/clipboard"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// A person's actions in the live picture go to the page as DevTools input: only mouse
// and keys, behind the same walls as the session's calls. Where the session's requests are
// logged, what they did on the page is, too.

// hands is the page on which the person with the session works.
func (v *viewer) hands() (p *browser.Page, with *cdp.Session, width, height float64, ok bool) {
	l, own, err := v.looked()
	if err != nil || !own.holds(v) {
		return nil, nil, 0, 0, false
	}
	l.mu.Lock()
	s, p := l.live, l.pages
	l.mu.Unlock()
	if s == nil || !mayShow(p) {
		return nil, nil, 0, 0, false
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if s.of.with == nil || s.of.last == nil {
		return nil, nil, 0, 0, false
	}
	return p, s.of.with, s.of.last.width, s.of.last.height, true
}

// send sends input, unless it would paste the shared clipboard.
func (v *viewer) send(p *browser.Page, with *cdp.Session, method string, params map[string]any) error {
	if clipboard.ClipboardOf(p.Session) != nil {
		if pastes, err := clipboard.Input(method, params); pastes || err != nil {
			return provider.Errorf(provider.KindBlocked, "blocked: all users of this browser share its clipboard; paste into the picture, or use the field for text")
		}
	}
	p.Session.Browser.Acted(p.Context)
	with.Send(method, params, nil)
	return nil
}

// buttons are a mouse's buttons with their bits.
var buttons = map[string]int{"none": 0, "left": 1, "right": 2, "middle": 4}

// mouse is Input.dispatchMouseEvent.
func (v *viewer) mouse(d doing) error {
	p, with, width, height, ok := v.hands()
	kind := map[string]string{"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased"}[d.Type]
	if _, known := buttons[d.Button]; !ok || kind == "" || !known {
		return nil
	}
	x, y, ok := within(d, width, height)
	if !ok {
		return nil
	}
	return v.send(p, with, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": d.Button, "buttons": d.Buttons & 7,
		"clickCount": min(max(d.Clicks, 0), 3), "modifiers": d.Mods & 15})
}

// wheel is Input.dispatchMouseEvent of a wheel.
func (v *viewer) wheel(d doing) error {
	p, with, width, height, ok := v.hands()
	if !ok {
		return nil
	}
	x, y, ok := within(d, width, height)
	if !ok || math.Abs(d.DX) > 10_000 || math.Abs(d.DY) > 10_000 {
		return nil
	}
	return v.send(p, with, "Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": d.DX, "deltaY": d.DY, "modifiers": d.Mods & 15})
}

// within converts a point of the picture to a point of the page.
func within(d doing, width, height float64) (x, y float64, ok bool) {
	ok = d.X >= 0 && d.X <= 1 && d.Y >= 0 && d.Y <= 1
	return d.X * width, d.Y * height, ok
}

// longestKey bounds the names of keys.
const longestKey = 32

// key is Input.dispatchKeyEvent.
func (v *viewer) key(d doing) error {
	p, with, _, _, ok := v.hands()
	if !ok || len(d.Key) > longestKey || len(d.Code) > longestKey || d.KeyCode < 0 || d.KeyCode > 255 || d.Type != "down" && d.Type != "up" {
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
	return v.send(p, with, "Input.dispatchKeyEvent", params)
}

// longestText bounds a typed or pasted text, in bytes.
const longestText = 32 << 10

// text is Input.insertText: a pasted text, or one from the field beside the picture.
func (v *viewer) text(d doing) error {
	p, with, _, _, ok := v.hands()
	if !ok || d.Text == "" {
		return nil
	}
	if len(d.Text) > longestText {
		return provider.Errorf(provider.KindLimit, "the text is over %d bytes", longestText)
	}
	return v.send(p, with, "Input.insertText", map[string]any{"text": d.Text})
}
