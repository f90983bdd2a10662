package handlers

import (
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func permissionTools() []*provider.Tool {
	return []*provider.Tool{
		onPageDo(State_.Acts("permit", "Grant permissions", "Grant permissions to the sites of the page's context; [] takes all back"), permit),
		onPageDo(State_.Acts("geolocation", "Geolocation", "Set where the pages of the context are; without coordinates the place is unknown again"), geolocation),
	}
}

type permitParams struct {
	Names  []string `json:"names" doc:"such as geolocation, notifications, camera, microphone, clipboard-read, clipboard-write"`
	Origin string   `json:"origin,omitempty" doc:"only for this site, such as https://example.com"`
}

// permit is context.grantPermissions, or clearPermissions for none.
func permit(c *call, in permitParams) error {
	if len(in.Names) == 0 {
		return c.fail(c.context.ClearPermissions(), "")
	}
	if clipboardOf(c.session) != nil && slices.Contains(in.Names, "clipboard-read") {
		return errClipboardRead()
	}
	var o playwright.BrowserContextGrantPermissionsOptions
	if in.Origin != "" {
		o.Origin = &in.Origin
	}
	err := c.fail(c.context.GrantPermissions(in.Names, o), "")
	if err != nil && mentions(err, "Unknown permission") {
		e := provider.AsError(err)
		e.Kind = provider.KindArgs
	}
	return err
}

type geolocationParams struct {
	Latitude  *float64 `json:"latitude,omitempty" doc:"degrees north" min:"-90" max:"90"`
	Longitude *float64 `json:"longitude,omitempty" doc:"degrees east" min:"-180" max:"180"`
	Accuracy  float64  `json:"accuracy,omitempty" doc:"metres" min:"0"`
}

// geolocation is context.setGeolocation. Pages see it once they have the
// permission "geolocation".
func geolocation(c *call, in geolocationParams) error {
	if (in.Latitude == nil) != (in.Longitude == nil) {
		return provider.Errorf(provider.KindArgs, "give both latitude and longitude, or neither")
	}
	var g *playwright.Geolocation
	if in.Latitude != nil {
		g = &playwright.Geolocation{Latitude: *in.Latitude, Longitude: *in.Longitude, Accuracy: &in.Accuracy}
	}
	return c.fail(c.context.SetGeolocation(g), "")
}
