package virtual

import (
	"encoding/json"
	"fmt"
)

// mostPixels is how large a picture, a viewport or a window may be: everybody's
// are drawn by one process, which needs eight bytes for each.
const mostPixels = 128e6

// clip: of a picture, if one is named. A long page may be one.
func clip(c *command) error {
	members, err := c.object("clip")
	if err != nil {
		return err
	}
	return area(members, "scale", pixels)
}

func metrics(c *command) error {
	for _, screen := range []string{"screenWidth", "screenHeight"} {
		var side float64
		if _, err := c.has(screen, &side); err != nil {
			return err
		}
		if err := MayDraw(side, 1, 1); err != nil {
			return err
		}
	}
	return area(c.params, "deviceScaleFactor", MayDraw)
}

// windowBounds: of a window of the client's.
func windowBounds(c *command) error {
	members, err := c.object("bounds")
	if err == nil {
		err = area(members, "", MayDraw)
	}
	if err == nil {
		err = area(c.params, "", MayDraw)
	}
	if err != nil {
		return err
	}
	return ownWindow(c)
}

// area is the error of one that is too large, by its members.
func area(of map[string]json.RawMessage, scale string, may func(width, height, scale float64) error) error {
	var width, height, times float64
	for name, to := range map[string]*float64{"width": &width, "height": &height, scale: &times} {
		if err := member(of, name, to); err != nil {
			return err
		}
	}
	return may(width, height, times)
}

// mostSide is how long a side of a viewport, a screen or a window may be: what the
// tools take, and what Chromium can make a surface of.
const mostSide = 20_000

// usual is a side that is not said, where a page keeps what it has.
const usualWidth, usualHeight = 1920, 1080

// MayDraw is the error of a viewport, a screen or a window that is too large, whoever
// asks for it: one that takes all memory would end everybody's browser. A scale of 0
// is 1.
func MayDraw(width, height, scale float64) error {
	if width > mostSide || height > mostSide {
		return fmt.Errorf("over a limit: %.0f by %.0f pixels, of %d by %d", width, height, mostSide, mostSide)
	}
	if width <= 0 {
		width = usualWidth
	}
	if height <= 0 {
		height = usualHeight
	}
	return pixels(width, height, scale)
}

// pixels is the error of an area that is too large.
func pixels(width, height, scale float64) error {
	if scale <= 0 {
		scale = 1
	}
	if n := max(width, 1) * max(height, 1) * scale * scale; n > mostPixels {
		return fmt.Errorf("over a limit: %.0f pixels, of %.0f", n, float64(mostPixels))
	}
	return nil
}

// paper is of a page that is printed, in inches.
func paper(c *command) error {
	var width, height, scale float64
	for name, to := range map[string]*float64{"paperWidth": &width, "paperHeight": &height, "scale": &scale} {
		if _, err := c.has(name, to); err != nil {
			return err
		}
	}
	if err := MayDraw(width*inch, height*inch, scale); err != nil {
		return err
	}
	return streams(c)
}

// inch is so many of CSS's pixels.
const inch = 96
