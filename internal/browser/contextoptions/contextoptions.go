// Package contextoptions lists the Playwright options that a context may be
// opened with.
package contextoptions

import (
	"fmt"
	"reflect"

	"github.com/playwright-community/playwright-go"
)

// Options are the options of browser.newContext.
type Options = playwright.BrowserNewContextOptions

// givable are the options that callers may set. The others name files, which are not
// judged here, or make the driver put a proxy of its own before the context
// (ClientCertificates), which bypasses the filtering one. A field that a later
// playwright-go adds is refused until it is listed here.
var givable = map[string]bool{
	"AcceptDownloads": true, "BaseURL": true, "BypassCSP": true, "ColorScheme": true, "DeviceScaleFactor": true,
	"ExtraHttpHeaders": true, "ForcedColors": true, "Geolocation": true, "HasTouch": true, "HttpCredentials": true,
	"IgnoreHttpsErrors": true, "IsMobile": true, "JavaScriptEnabled": true, "Locale": true, "NoViewport": true,
	"Offline": true, "Permissions": true, "Proxy": true, "ReducedMotion": true, "Screen": true, "ServiceWorkers": true,
	"StorageState": true, "StrictSelectors": true, "TimezoneId": true, "UserAgent": true, "Viewport": true,
}

// Request are the options of one context, over those of its session.
type Request struct {
	Options        // may come from a script or a client: judged
	HAR     string // file to record the traffic into, checked by a tool; "" for none
}

// Judge refuses options that callers may not set. Its error names the first.
func (r Request) Judge() error {
	given := reflect.ValueOf(r.Options)
	for i := range given.NumField() {
		if name := given.Type().Field(i).Name; !given.Field(i).IsZero() && !givable[name] {
			return fmt.Errorf("%s: this option is not supported here", name)
		}
	}
	return nil
}

// Over applies the request over other options.
func (r Request) Over(o *Options) {
	to, from := reflect.ValueOf(o).Elem(), reflect.ValueOf(r.Options)
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			to.Field(i).Set(f)
		}
	}
	if r.HAR != "" {
		o.RecordHarPath = &r.HAR
	}
}
