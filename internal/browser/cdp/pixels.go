package cdp

import "fmt"

// maxPixels is how large a picture, a viewport or a window may be: one process draws those
// of all clients, with eight bytes a pixel.
const maxPixels = 128e6

// MaxDrawn is how many pixels all pages of a session may be drawn with: the largest page
// takes 1.4 GiB while it is drawn.
const MaxDrawn = 2 * maxPixels

// maxSide is how long a side of a viewport, a screen or a window may be: the limit of the
// tools, and of Chromium's surfaces.
const maxSide = 20_000

// maxScale is how many pixels of a screen one of CSS may have: a picture of a long page
// multiplies them.
const maxScale = 10

// usual is a side that is not said, where a page keeps what it has.
const usualWidth, usualHeight = 1920, 1080

// MayDraw is the error of a viewport, a screen or a window that is too large, whoever
// asks for it: one that takes all memory would end everybody's browser. A scale of 0
// is 1.
func MayDraw(width, height, scale float64) error {
	if scale > maxScale {
		return fmt.Errorf("over a limit: %.0f pixels for one of CSS, and the limit is %d", scale, maxScale)
	}
	if width > maxSide || height > maxSide {
		return fmt.Errorf("over a limit: %.0f by %.0f pixels, and the limit is %d by %d",
			width, height, maxSide, maxSide)
	}
	if width <= 0 {
		width = usualWidth
	}
	if height <= 0 {
		height = usualHeight
	}
	return MayCapture(width, height, scale)
}

// MayCapture is the error of a picture, or another area, that is too large. A scale of 0 is 1.
func MayCapture(width, height, scale float64) error {
	if scale <= 0 {
		scale = 1
	}
	if n := max(width, 1) * max(height, 1) * scale * scale; n > maxPixels {
		return fmt.Errorf("over a limit: %.0f pixels, and the limit is %.0f", n, float64(maxPixels))
	}
	return nil
}
