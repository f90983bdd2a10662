package browser

// PressKey presses a key on a page with press, which features may go around: a key that pastes
// pastes what the session has copied.
func (p *Page) PressKey(key string, press func() error) error {
	for _, h := range p.Session.Browser.hooks {
		if around, within := h.Press, press; around != nil {
			press = func() error { return around(p, key, within) }
		}
	}
	return press()
}

// HoldKey tells features that a key is held down from now on, or let go.
func (p *Page) HoldKey(key string, down bool) {
	for _, h := range p.Session.Browser.hooks {
		if h.Hold != nil {
			h.Hold(p, key, down)
		}
	}
}

// MayClick asks features whether a button of the mouse may be pressed at a point of the viewport, or
// without one where the mouse is.
func (p *Page) MayClick(button string, at ...float64) error {
	for _, h := range p.Session.Browser.hooks {
		if h.Button != nil {
			if err := h.Button(p, button, at...); err != nil {
				return err
			}
		}
	}
	return nil
}
