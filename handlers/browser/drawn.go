package browser

import (
	"cmp"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/virtual"
	"pwpipe/provider"
)

// mayDraw is the error of a context whose pages would be too large to be drawn, whoever
// opens it: a tool, a request of the service, a script.
func mayDraw(o playwright.BrowserNewContextOptions) error {
	scale := 0.0
	if o.DeviceScaleFactor != nil {
		scale = *o.DeviceScaleFactor
	}
	for _, size := range []*playwright.Size{cmp.Or(o.Viewport, &playwright.Size{}), cmp.Or(o.Screen, &playwright.Size{})} {
		if err := virtual.MayDraw(float64(size.Width), float64(size.Height), scale); err != nil {
			return provider.Errorf(provider.KindArgs, "viewport: %w", err)
		}
	}
	return nil
}

// noteScale remembers how many pixels of a screen a context has for one of CSS.
func (s *Session) noteScale(c playwright.BrowserContext, o playwright.BrowserNewContextOptions) {
	if o.DeviceScaleFactor == nil || *o.DeviceScaleFactor == 1 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scales == nil {
		s.scales = map[playwright.BrowserContext]float64{}
	}
	s.scales[c] = *o.DeviceScaleFactor
}

// Resize is page.setViewportSize, for tools and scripts.
func (p *Page) Resize(width, height int) error {
	p.Session.mu.Lock()
	scale := p.Session.scales[p.Context]
	p.Session.mu.Unlock()
	if err := virtual.MayDraw(float64(width), float64(height), scale); err != nil {
		return provider.Errorf(provider.KindArgs, "viewport: %w", err)
	}
	return p.PW.SetViewportSize(width, height)
}
