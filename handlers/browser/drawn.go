package browser

import (
	"cmp"
	"sync"
	"sync/atomic"

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
	p.view.resizing.Lock()
	defer p.view.resizing.Unlock()
	err := p.PW.SetViewportSize(width, height)
	if err == nil {
		p.view.size.Store(&playwright.Size{Width: width, Height: height})
	}
	return err
}

// view is the size of a page. playwright-go keeps one too, which it writes without a
// lock whenever the answer of setViewportSize comes, be the call that asked over or not.
type view struct {
	resizing sync.Mutex // held while the driver is asked
	size     atomic.Pointer[playwright.Size]
}

func (v *view) begin(pw playwright.Page) {
	if size := pw.ViewportSize(); size != nil {
		v.size.Store(&playwright.Size{Width: size.Width, Height: size.Height})
	}
}

// ViewportSize is page.viewportSize, nil where it is not known.
func (p *Page) ViewportSize() *playwright.Size { return p.view.size.Load() }
