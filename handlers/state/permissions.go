package state

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type permitParams struct {
	Names  []string `json:"names" doc:"such as geolocation, notifications, camera, microphone, clipboard-read, clipboard-write"`
	Origin string   `json:"origin,omitempty" doc:"only for this site, such as https://example.com"`
}

// permit is context.grantPermissions, or clearPermissions for none.
func permit(c *tool.Call, in permitParams) error {
	if len(in.Names) == 0 {
		return c.Fail(c.Context.ClearPermissions(), "")
	}
	if err := c.Session.MayGrant(in.Names); err != nil {
		return err
	}
	o := playwright.BrowserContextGrantPermissionsOptions{Origin: tool.Optional(in.Origin)}
	err := c.Fail(c.Context.GrantPermissions(in.Names, o), "")
	if pwerrors.IsUnknownPermission(err) {
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

// geolocation is context.setGeolocation. Pages see it if they have the permission
// "geolocation".
func geolocation(c *tool.Call, in geolocationParams) error {
	if (in.Latitude == nil) != (in.Longitude == nil) {
		return provider.Errorf(provider.KindArgs, "give both latitude and longitude, or neither")
	}
	var g *playwright.Geolocation
	if in.Latitude != nil {
		g = &playwright.Geolocation{Latitude: *in.Latitude, Longitude: *in.Longitude, Accuracy: &in.Accuracy}
	}
	return c.Fail(c.Context.SetGeolocation(g), "")
}
