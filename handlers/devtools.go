package handlers

import (
	"pwpipe/provider"
)

// emulate sends a command with parameters to the page's DevTools session,
// which lives as long as the page, so what it sets stays.
func (c *call) emulate(method string, params map[string]any) error {
	if !c.engine.chromium {
		return provider.Errorf(provider.KindFailed, "only Chromium can do this on an open page").
			WithHint("give new-ctx the option instead")
	}
	c.mu.Lock()
	s := c.cdp
	c.mu.Unlock()
	if s == nil {
		var err error
		if s, err = c.context.NewCDPSession(c.pw); err != nil {
			return err
		}
		c.mu.Lock()
		c.cdp = s
		c.mu.Unlock()
	}
	_, err := s.Send(method, params)
	return err
}
