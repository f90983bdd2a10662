package browser

import (
	"context"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/script/cdpview"
	"pwpipe/provider"
)

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
		return p.Fits(asNumber(list[0]), asNumber(list[1]), scale)
	}
	return nil
}

// asNumber is a number as playwright-go has it.
func asNumber(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

// Fits is the error of a part of the page that is too large for a picture. scale says
// whether one of CSS's pixels is one of the picture's; nil is not.
func (p *Page) Fits(width, height float64, scale *playwright.ScreenshotScale) error {
	times := p.Scale()
	if scale != nil && *scale == *playwright.ScreenshotScaleCss {
		times = 1
	}
	if err := cdpview.MayCapture(width, height, times); err != nil {
		return provider.Errorf(provider.KindLimit, "%w", err).WithHint("take pictures of parts of it")
	}
	return nil
}
