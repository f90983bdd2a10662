package browser

import (
	"cmp"
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
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
		if err := cdp.MayDraw(float64(size.Width), float64(size.Height), scale); err != nil {
			return provider.Errorf(provider.KindArgs, "viewport: %w", err)
		}
	}
	return nil
}

// shape is what a context's pages are drawn as: their viewport, and how many pixels of
// a screen they have for one of CSS.
type shape struct{ width, height, scale float64 }

func (h shape) pixels() float64 { return max(h.width, 1) * max(h.height, 1) * h.scale * h.scale }

// shapeOfNew is what the pages of a context are drawn as that is opened with o.
func shapeOfNew(o playwright.BrowserNewContextOptions) shape {
	h := shape{1280, 720, 1} // Playwright's own
	if o.Viewport != nil {
		h.width, h.height = float64(o.Viewport.Width), float64(o.Viewport.Height)
	}
	if o.DeviceScaleFactor != nil && *o.DeviceScaleFactor > 0 {
		h.scale = *o.DeviceScaleFactor
	}
	return h
}

// othersDraw is how many pixels the table's other pages are drawn with. The lock is
// held.
func (t *table) othersDraw(p *Page) (sum float64) {
	for _, other := range t.byPW {
		if other != p {
			sum += max(t.limits.shapeOf(other).pixels(), other.view.wanted.load())
		}
	}
	return sum
}

// RoomToDraw returns an error if the other pages leave no room to draw this one with so many
// pixels. A nil page is one that is about to open.
func (t *table) RoomToDraw(p *Page, pixels float64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.othersDraw(p)+pixels > cdp.MaxDrawn {
		return errDrawn("")
	}
	return nil
}

func errDrawn(before string) *provider.Error {
	return provider.Errorf(provider.KindLimit, "over a limit: %sthe session's pages would have more than %.0f pixels together", before, float64(cdp.MaxDrawn)).
		WithHint("close some with close-page, or make their viewports smaller")
}

// DrawAs notes that a client of DevTools has a page drawn with so many pixels, 0 for
// what the page has by itself, unless there is no room for them.
func (p *Page) DrawAs(pixels float64) error {
	if err := p.Session.RoomToDraw(p, pixels); err != nil {
		return err
	}
	p.view.wanted.store(pixels)
	return nil
}

// Scale is how many pixels of a screen the page has for one of CSS.
func (p *Page) Scale() float64 { return p.Session.shapeOf(p).scale }

// Rescale is Resize to what has another number of pixels of a screen for one of CSS.
func (p *Page) Rescale(width, height int, scale float64) error {
	before := p.view.scale.load()
	p.view.scale.store(scale)
	err := p.Resize(width, height)
	if err != nil {
		p.view.scale.store(before)
	}
	return err
}

// Resize is page.setViewportSize, for tools and scripts.
func (p *Page) Resize(width, height int) error {
	h := shape{float64(width), float64(height), p.Scale()}
	if err := cdp.MayDraw(h.width, h.height, h.scale); err != nil {
		return provider.Errorf(provider.KindArgs, "viewport: %w", err)
	}
	p.view.resizing.Lock()
	defer p.view.resizing.Unlock()
	if err := p.Session.RoomToDraw(p, h.pixels()); err != nil {
		return err
	}
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
	scale    number // of a device that the page was made to look like, 0 for its context's
	wanted   number // pixels that a client of DevTools has it drawn with
}

// number is one that is read and written at once.
type number struct{ bits atomic.Uint64 }

func (n *number) load() float64   { return math.Float64frombits(n.bits.Load()) }
func (n *number) store(f float64) { n.bits.Store(math.Float64bits(f)) }

func (v *view) begin(pw playwright.Page) {
	if size := pw.ViewportSize(); size != nil {
		v.size.Store(&playwright.Size{Width: size.Width, Height: size.Height})
	}
}

// ViewportSize is page.viewportSize, nil where it is not known.
func (v *view) ViewportSize() *playwright.Size { return v.size.Load() }

// sizeTime is how long a page may take to say how large it is. One that doesn't is not
// likely to be drawn either, which the driver waits for.
const sizeTime = 2 * time.Second

// pageSize is how large a page is, as Playwright reads it.
const pageSize = `() => { const of = [document.body, document.documentElement].filter(Boolean), most = (side) => Math.max(0, ...of.flatMap(
	(e) => [e['scroll' + side], e['offset' + side], e['client' + side]])); return [most('Width'), most('Height')] }`

// WholeFits is the error of a page that is too large for a picture of all of it, which
// its renderer would take a gigabyte to fail at. scale is as [Page.Fits] has it.
func (p *Page) WholeFits(ctx context.Context, scale *playwright.ScreenshotScale) error {
	ctx, cancel := context.WithTimeout(ctx, sizeTime)
	defer cancel()
	if session := p.Direct(); session != nil {
		var got struct {
			Content struct{ Width, Height float64 } `json:"cssContentSize"`
		}
		if session.Call(ctx, "Page.getLayoutMetrics", nil, &got) != nil {
			return nil
		}
		return p.Fits(got.Content.Width, got.Content.Height, scale)
	}
	size, err := Await(ctx, p.Engine, p, func() (any, error) { return p.PW.Evaluate(pageSize) })
	if list, ok := size.([]any); err == nil && ok && len(list) == 2 {
		return p.Fits(float64(pwerrors.WholeNumber(list[0])), float64(pwerrors.WholeNumber(list[1])), scale)
	}
	return nil
}

// Fits is the error of a part of the page that is too large for a picture. scale says
// whether one of CSS's pixels is one of the picture's; nil is not.
func (p *Page) Fits(width, height float64, scale *playwright.ScreenshotScale) error {
	times := p.Scale()
	if scale != nil && *scale == *playwright.ScreenshotScaleCss {
		times = 1
	}
	if err := cdp.MayCapture(width, height, times); err != nil {
		return provider.Errorf(provider.KindLimit, "%w", err).WithHint("take pictures of parts of it")
	}
	return nil
}
