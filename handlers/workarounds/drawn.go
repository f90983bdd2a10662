package workarounds

import (
	"context"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

var films = browser.State[*browser.Page, cdp.Film]{}

// Drawn makes the browser draw the page, wherever it is in its window, until done. It
// is for a call that is late and may be waiting for the page's frames.
func Drawn(p *browser.Page) (done func()) {
	if !p.Engine.Chromium {
		return func() {}
	}
	return films.Of(p).While(func() (end func()) {
		tell := func(method string, params map[string]any) map[string]any {
			ctx, cancel := context.WithTimeout(context.Background(), tellTime)
			defer cancel()
			reply, _ := browser.Await(ctx, p.Engine, p, func() (map[string]any, error) { return p.DevTools(method, params) })
			return reply // none for a page that is gone, or hangs
		}
		if product, _ := tell("Browser.getVersion", nil)["product"].(string); product == "" || cdp.IsShell(product) {
			return func() {}
		}
		tell("Page.startScreencast", cdp.Filming())
		return func() { tell("Page.stopScreencast", nil) }
	})
}
