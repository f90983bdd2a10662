package clipboard

import (
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pwerrors"
)

// The middle button pastes the browser's selection into what can be edited below the mouse. Where sessions
// share the browser, another user may have made that selection. So a press there is refused; and copied.js
// cancels what the browser pastes by itself, for a page that changes after the check.

// takesPaste answers whether what is at a place of the viewport, or under the mouse, can be edited. A frame
// of another site can't be asked, and counts as if.
const takesPaste = `(at) => {
	const edited = (e) => e.isContentEditable || e.ownerDocument.designMode === 'on' ||
		/^(input|textarea|object|embed)$/.test(e.localName);
	const within = (root, x, y) => {
		let e = at ? root.elementFromPoint(x, y) : [...root.querySelectorAll(':hover')].pop();
		while (e?.shadowRoot) {
			const inner = at ? e.shadowRoot.elementFromPoint(x, y) : [...e.shadowRoot.querySelectorAll(':hover')].pop();
			if (!inner || inner === e) break;
			e = inner;
		}
		if (!e) return false;
		if (!/^i?frame$/.test(e.localName)) return edited(e);
		const r = e.getBoundingClientRect();
		return !e.contentDocument || within(e.contentDocument, x - r.left - e.clientLeft, y - r.top - e.clientTop);
	};
	return within(document, at?.[0], at?.[1]);
}`

// maxLook is how long a page may take to say what is under the mouse.
const maxLook = time.Second

// MayPress refuses the middle button over what can be edited, where sessions share the selection: at a
// place of the viewport, or without one where the mouse is.
func MayPress(p *browser.Page, button string, at ...float64) error {
	if button != "middle" || ClipboardOf(p.Session) == nil {
		return nil
	}
	var place any
	if len(at) == 2 {
		place = at
	}
	var takes any = true
	if !launch.Within(maxLook, func() (err error) {
		answer, err := p.PW.Evaluate(takesPaste, place)
		if err == nil {
			takes = answer
		}
		return err
	}) || takes != false {
		return errMiddleButton()
	}
	return nil
}

// MayPressOn is MayPress for a DevTools client's event of the mouse.
func MayPressOn(p *browser.Page, method string, params map[string]any) error {
	button, _ := params["button"].(string)
	if button != "middle" || p == nil {
		_, err := Input(method, params)
		return err
	}
	if params["type"] == "mouseMoved" {
		return nil
	}
	return MayPress(p, button, float64(pwerrors.WholeNumber(params["x"])), float64(pwerrors.WholeNumber(params["y"])))
}
