package virtual

import (
	"encoding/json"
	"fmt"
)

// mostPixels is how large a picture, a viewport or a window may be: everybody's
// are drawn by one process, which needs eight bytes for each.
const mostPixels = 128e6

// clip: of a picture, if one is named.
func clip(c *command) error {
	members, err := c.object("clip")
	if err != nil {
		return err
	}
	return area(members, "scale")
}

func metrics(c *command) error { return area(c.params, "deviceScaleFactor") }

// windowBounds: of a window of the client's.
func windowBounds(c *command) error {
	members, err := c.object("bounds")
	if err == nil {
		err = area(members, "")
	}
	if err == nil {
		err = area(c.params, "")
	}
	if err != nil {
		return err
	}
	return ownWindow(c)
}

// area is the error of one that is too large.
func area(of map[string]json.RawMessage, scale string) error {
	var width, height, times float64
	for name, to := range map[string]*float64{"width": &width, "height": &height, scale: &times} {
		if err := member(of, name, to); err != nil {
			return err
		}
	}
	if times <= 0 {
		times = 1
	}
	if pixels := max(width, 1) * max(height, 1) * times * times; pixels > mostPixels {
		return fmt.Errorf("over a limit: %.0f pixels, of %.0f", pixels, float64(mostPixels))
	}
	return nil
}
