package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"image"
	_ "image/jpeg" // whose sizes are read
	_ "image/png"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/machine/tricks"
	"pwpipe/provider"
)

// The caret is hidden before a picture and shown after it, as by Playwright. The
// driver takes the picture if the caret may be in a frame of another site, fonts are
// still loading, the page is zoomed with two fingers, or its screen is not the one
// that its context has (scale).
var (
	beforePicture = fastpath.Define("before-picture", `(page, _, scale) => {
		if (document.fonts.status !== 'loaded' || visualViewport.scale !== 1 || document.designMode === 'on') return;
		if (devicePixelRatio !== 1 && devicePixelRatio !== scale) return;
		let e = document.activeElement;
		for (let inner = e; inner; inner = e.shadowRoot?.activeElement ?? e.contentDocument?.activeElement) {
			e = inner;
			if (e.contentDocument?.designMode === 'on') return;
		}
		if (e?.matches('iframe,frame,object,embed,fencedframe')) return;
		const hide = !!e?.matches('input,textarea,[contenteditable]');
		if (hide) {
			page.caret ??= [e, e.style.getPropertyValue('caret-color'), e.style.getPropertyPriority('caret-color')];
			if (page.caret[0] !== e) return;
			e.style.setProperty('caret-color', 'transparent', 'important');
		}
		return [hide, devicePixelRatio, visualViewport.pageLeft, visualViewport.pageTop];
	}`)
	afterPicture = fastpath.Define("after-picture", `(page) => {
		if (page.caret) page.caret[0].style.setProperty('caret-color', page.caret[1], page.caret[2]);
		page.caret = null;
		return true;
	}`)
)

// Screenshot is page.screenshot. Of what is in view Chromium is asked itself,
// where it can be: it is the same picture, sooner.
func (c *Call) Screenshot(o playwright.PageScreenshotOptions) ([]byte, error) {
	if data := c.inView(o, nil); data != nil {
		return data, nil
	}
	if o.FullPage != nil && *o.FullPage {
		if err := c.WholeFits(c.Ctx, o.Scale); err != nil {
			return nil, err
		}
	}
	o.Timeout = c.Left()
	data, err := c.PW.Screenshot(o)
	return data, c.Fail(err, "")
}

// ScreenshotOf is locator.screenshot of the first match of sel in a frame, with
// the options of a page's: its time-out is the call's. Without sel it is
// page.screenshot.
func (c *Call) ScreenshotOf(f playwright.Frame, sel string, o playwright.PageScreenshotOptions) (data []byte, err error) {
	if sel == "" {
		return c.Screenshot(o)
	}
	if !noDirectPictures && o.Animations == nil && f == c.PW.MainFrame() {
		if box := fastpath.Box(c.Ctx, c.Page, sel); box != nil {
			if data := c.inView(o, (*rect)(box)); data != nil {
				return data, nil
			}
		}
	}
	var large error
	err = c.Attempt(sel, func(timeout *float64) (err error) {
		box, err := f.Locator(sel).First().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: timeout})
		if err == nil && box != nil { // nil: it is waited for until it is there to be seen
			large = c.Fits(box.Width, box.Height, o.Scale)
		}
		if err != nil || large != nil {
			return err
		}
		data, err = f.Locator(sel).First().Screenshot(playwright.LocatorScreenshotOptions{Type: o.Type, Quality: o.Quality,
			Animations: o.Animations, Caret: o.Caret, Scale: o.Scale, Timeout: timeout})
		return err
	})
	return data, cmp.Or(err, large)
}

// Only the driver's session with a page has the context's scale: Chromium makes a
// picture for another session of CSS pixels, which it scales.
var (
	noDirectPictures = tricks.Off(tricks.DirectPictures)
	noFastPictures   = tricks.Off(tricks.FastPictures)
)

// caretTime is how long the page may take to have its caret back.
const caretTime = 2 * time.Second

// inView takes the picture on the direct line, of a part of the document or of all that is in
// view, nil where the driver is to: what moves is stopped by its scripts.
func (c *Call) inView(o playwright.PageScreenshotOptions, part *rect) []byte {
	if noDirectPictures || o.FullPage != nil && *o.FullPage || o.Animations != nil {
		return nil
	}
	var seen shown
	view, known := c.ViewportSize(), 1.0
	if view != nil {
		known = c.Scale()
	}
	if !c.DirectOnPage(beforePicture, "", known, &seen) {
		return nil
	}
	if seen.hidden {
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Ctx), caretTime)
			defer cancel()
			_, _ = fastpath.Read(ctx, c.Page, afterPicture, "", nil, new(bool))
		}()
	}
	session, ask := c.Page.Direct(), map[string]any{"format": "png", "optimizeForSpeed": !noFastPictures}
	if o.Type != nil && *o.Type != *playwright.ScreenshotTypePng { // jpeg, or webp, which the driver doesn't know
		ask = map[string]any{"format": string(*o.Type), "quality": 80}
		if o.Quality != nil {
			ask["quality"] = *o.Quality
		}
	}
	scale := 1.0 // pixels of the picture for one of CSS
	if part == nil && view != nil {
		part = &rect{seen.left, seen.top, float64(view.Width), float64(view.Height)}
	} else if part != nil {
		part = part.whole()
		ask["clip"] = part.clip(1)
	}
	if seen.ratio != 1 {
		ask["clip"] = part.clip(1)
		if scale = seen.ratio; o.Scale != nil && *o.Scale == *playwright.ScreenshotScaleCss {
			ask["clip"], scale = part.clip(1/seen.ratio), 1
		}
		session = c.DriversSession()
	}
	var picture struct{ Data []byte }
	if session == nil || session.Call(c.Ctx, "Page.captureScreenshot", ask, &picture) != nil || !part.fits(picture.Data, scale) {
		return nil
	}
	return picture.Data
}

type rect fastpath.Rect

// whole rounds to whole pixels as Playwright does for pictures of elements.
func (r *rect) whole() *rect {
	const slack = 1e-3
	x, y := math.Floor(r.X+slack), math.Floor(r.Y+slack)
	return &rect{x, y, math.Ceil(r.X+r.Width-slack) - x, math.Ceil(r.Y+r.Height-slack) - y}
}

func (r *rect) clip(scale float64) map[string]any {
	return map[string]any{"x": r.X, "y": r.Y, "width": r.Width, "height": r.Height, "scale": scale}
}

// shown is what beforePicture tells.
type shown struct {
	hidden    bool    // a caret
	ratio     float64 // pixels of the screen for one of CSS
	left, top float64 // of what is in view, in the document
}

func (s *shown) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.hidden, &s.ratio, &s.left, &s.top})
}

// fits reports whether a picture has the size of its part, if that is known. A whole Chromium
// draws only what its window shows.
func (r *rect) fits(picture []byte, scale float64) bool {
	if r == nil {
		return true
	}
	is, _, err := image.DecodeConfig(bytes.NewReader(picture))
	off := func(got int, of float64) bool { return math.Abs(float64(got)-of*scale) >= 1 }
	return err == nil && !off(is.Width, r.Width) && !off(is.Height, r.Height)
}

// PictureFormat is the type of a picture, by its file's ending, else by its MIME
// type, and its quality, if it has one. It looks at the path before any picture
// is taken.
func PictureFormat(path, mime string, quality int) (kind *playwright.ScreenshotType, q *int, err error) {
	refuse := func(format string, args ...any) (*playwright.ScreenshotType, *int, error) {
		return nil, nil, provider.Errorf(provider.KindArgs, format, args...)
	}
	kind = playwright.ScreenshotTypePng
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case path == "" && mime == MIMEJPEG, ending == ".jpg", ending == ".jpeg":
		kind = playwright.ScreenshotTypeJpeg
	case path == "" && mime != "", ending == ".png":
	case ending == "":
		return refuse("path: %s has no ending; a picture is .png, .jpg or .jpeg", path)
	default:
		return refuse("path: a picture is .png, .jpg or .jpeg, not %s", ending)
	}
	switch {
	case path != "" && mime != "" && mime != MIMEOf(kind):
		return refuse("mime: %s is no %s; without mime the ending decides", path, mime)
	case quality == 0:
		return kind, nil, nil
	case *kind != *playwright.ScreenshotTypeJpeg:
		return refuse("quality: only a JPEG has one; a PNG loses nothing")
	}
	return kind, &quality, nil
}

// The MIME types of pictures.
const MIMEJPEG, MIMEPNG = "image/jpeg", "image/png"

// MIMEOf is the MIME type of a picture.
func MIMEOf(kind *playwright.ScreenshotType) string { return "image/" + string(*kind) }
