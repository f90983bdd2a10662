package cdpview

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pwpipe/internal/browser/cdp"
)

// clip is the rule of Page.captureScreenshot. A picture may show a long page. Chromium
// multiplies the clip by the page's pixels for one of CSS; without a clip it would take
// whatever size the page has by then, so the clip of a whole page is named here.
func clip(c *command) error {
	members, err := c.object("clip", "x", "y", "width", "height", "scale")
	if err != nil {
		return err
	}
	whole, err := param[bool](c, "captureBeyondViewport")
	if err != nil || members == nil && !whole {
		return err
	}
	if members == nil {
		width, height, err := c.content()
		if err != nil {
			return err
		}
		c.set("clip", map[string]float64{"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
		return cdp.MayCapture(width, height, c.scale())
	}
	if err := sane(members, "x", "y", "width", "height", "scale"); err != nil {
		return err
	}
	return area(members, "scale", func(width, height, scale float64) error {
		if scale <= 0 {
			scale = 1
		}
		return cdp.MayCapture(width, height, scale*c.scale())
	})
}

// layoutTime is how long a page may take to report its size. A page that doesn't would not
// be drawn either.
const layoutTime = 5 * time.Second

func (c *command) content() (width, height float64, _ error) {
	ctx, cancel := context.WithTimeout(context.Background(), layoutTime)
	defer cancel()
	var got struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	err := c.session.Call(ctx, "Page.getLayoutMetrics", nil, &got)
	return got.Content.Width, got.Content.Height, err
}

// scale is how many pixels a page has for one of CSS: as its context was opened, or as a
// client of the session has set it last.
func (c *command) scale() float64 {
	scale := max(1, c.o.Scale(c.session.page))
	if v, ok := c.o.Budget.scales.Load(c.session.page); ok {
		scale = max(scale, v.(float64))
	}
	return scale
}

func (c *command) noteScale() error {
	var scale float64
	if named, err := c.has("deviceScaleFactor", &scale); err != nil || !named {
		return err
	}
	if scale > 0 {
		c.o.Budget.scales.Store(c.session.page, scale)
	} else {
		c.o.Budget.scales.Delete(c.session.page)
	}
	return nil
}

// furthest is how far a picture may be from the page's origin, and a window from the
// screen's. Nobody needs larger or negative sizes.
const furthest = 1e7

// sane is the error of sizes and positions that nobody needs.
func sane(of map[string]json.RawMessage, names ...string) error {
	for _, name := range names {
		var n float64
		if string(of[name]) == "null" {
			continue
		}
		if err := member(of, name, &n); err != nil {
			return err
		}
		least := 0.0
		if name == "x" || name == "y" || name == "positionX" || name == "positionY" {
			least = -furthest
		}
		if n < least || n > furthest {
			return fmt.Errorf("over a limit: %s is %g, expected %g to %g", name, n, least, furthest)
		}
	}
	return nil
}

// metrics is the rule of Emulation.setDeviceMetricsOverride and the like.
func metrics(c *command) error {
	if err := sane(c.params, "width", "height", "screenWidth", "screenHeight", "deviceScaleFactor", "scale",
		"positionX", "positionY"); err != nil {
		return err
	}
	viewport, err := c.object("viewport")
	if err == nil {
		err = sane(viewport, "x", "y", "width", "height", "scale")
	}
	if err == nil {
		err = area(viewport, "scale", cdp.MayDraw)
	}
	if err != nil {
		return err
	}
	for _, screen := range []string{"screenWidth", "screenHeight"} {
		side, err := param[float64](c, screen)
		if err == nil {
			err = cdp.MayDraw(side, 1, 1)
		}
		if err != nil {
			return err
		}
	}
	if err := area(c.params, "deviceScaleFactor", c.draws); err != nil {
		return err
	}
	return c.noteScale()
}

// draws is MayDraw of the page, within what all pages of the session may have.
func (c *command) draws(width, height, scale float64) error {
	if err := cdp.MayDraw(width, height, scale); err != nil || c.session.page == "" {
		return err
	}
	if scale <= 0 {
		scale = c.scale()
	}
	return c.o.Draw(c.session.page, width*height*scale*scale)
}

// windowBounds is the rule of commands that size a window of the client's.
func windowBounds(c *command) error {
	members, err := c.object("bounds", "left", "top", "width", "height", "windowState")
	if err == nil {
		err = area(members, "", cdp.MayDraw)
	}
	if err == nil {
		err = area(c.params, "", cdp.MayDraw)
	}
	if err != nil {
		return err
	}
	return ownWindow(c)
}

// area is the error of an area that is too large, by its members.
func area(of map[string]json.RawMessage, scale string, may func(width, height, scale float64) error) error {
	var width, height, times float64
	for name, to := range map[string]*float64{"width": &width, "height": &height, scale: &times} {
		if err := member(of, name, to); err != nil {
			return err
		}
	}
	return may(width, height, times)
}

// paper is the rule of Page.printToPDF. Sizes are in inches.
func paper(c *command) error {
	var width, height, scale float64
	if err := c.decode(map[string]any{"paperWidth": &width, "paperHeight": &height, "scale": &scale}); err != nil {
		return err
	}
	if err := cdp.MayDraw(width*inch, height*inch, scale); err != nil {
		return err
	}
	return streams(c)
}

// inch is in CSS pixels.
const inch = 96

// filmTime is how long the browser may take to say what it is, and to open a
// session for a film.
const filmTime = 2 * time.Second

// draw has a page drawn while a command runs that may wait for its frames: pictures,
// input, and scripts. done is nil for other commands.
func (s *session) draw(method string) (done func()) {
	waits := slices.Contains([]string{"Page.captureScreenshot", "Runtime.evaluate", "Runtime.callFunctionOn",
		"Runtime.awaitPromise"}, method) || strings.HasPrefix(method, "Input.")
	if !waits || s.page == "" {
		return nil
	}
	return s.film.While(func() (end func()) { return filmed(s.client.devtools, s.page) })
}

// filmed films a page, on a session that the client does not know.
func filmed(devtools *cdp.Session, page string) (end func()) {
	ctx, cancel := context.WithTimeout(context.Background(), filmTime)
	defer cancel()
	var is struct{ Product string }
	if devtools.Call(ctx, "Browser.getVersion", nil, &is) != nil || cdp.IsShell(is.Product) {
		return func() {}
	}
	s, err := devtools.Attach(ctx, page)
	if err != nil {
		return func() {} // it is gone
	}
	s.Send("Page.startScreencast", cdp.Filming(), nil)
	return s.Drop
}
