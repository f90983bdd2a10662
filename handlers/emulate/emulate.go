// Package emulate makes a page look like another device, place or time to its site.
package emulate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/workarounds"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// Tools that Go code calls too.
var (
	Viewport = tool.TypedOnPageDo(tool.Emulate.Acts("viewport", "Viewport",
		"Set the size of the page's viewport, in CSS pixels"), setViewport)
	Media = tool.TypedOnPageDo(tool.Emulate.Acts("media", "Media",
		"Set the colour scheme, the medium and the preferences that style sheets ask for"), media)
)

// Tools change how an open page looks to its site.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		Viewport.Tool,
		tool.OnPageDo(tool.Emulate.Acts("device", "Device",
			"Make the page look like a device to its site: viewport, pixel ratio, touch, user agent (Chromium; elsewhere give it to open-ctx)"), emulateDevice),
		tool.OnSession(tool.Emulate.Reads("devices", "Devices",
			"List the names of devices that contain a text").OwnWords(), listDevices),
		tool.OnPageDo(tool.Emulate.Acts("user-agent", "User agent",
			"Set the page's user agent from the next request on (Chromium; elsewhere give it to open-ctx)"), userAgent),
		tool.OnPageDo(localeSpec(), locale),
		tool.OnPageDo(tool.Emulate.Acts("timezone", "Time zone",
			"Set the page's time zone (Chromium; elsewhere give it to open-ctx)"), timezone),
		Media.Tool,
	}
}

// ViewportParams are the parameters of [Viewport].
type ViewportParams struct {
	Width  int `json:"width" doc:"CSS pixels" min:"1" max:"20000"`
	Height int `json:"height" doc:"CSS pixels" min:"1" max:"20000"`
}

// setViewport is page.setViewportSize. On a page that emulates a device it also changes
// the device: otherwise the device's viewport would return with the next document.
func setViewport(c *tool.Call, in ViewportParams) error {
	if err := c.Resize(in.Width, in.Height); err != nil {
		return c.Fail(err, "")
	}
	d := looking.Of(c.Page).Load()
	if d == nil {
		return nil
	}
	return c.Fail(setMetrics(c, d, in.Width, in.Height), "")
}

// looking is the device that a page emulates, nil for none.
var looking browser.State[*browser.Page, atomic.Pointer[playwright.DeviceDescriptor]]

func setMetrics(c *tool.Call, d *playwright.DeviceDescriptor, width, height int) error {
	return c.Emulate("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": d.DeviceScaleFactor, "mobile": d.IsMobile})
}

type nameParams struct {
	Name string `json:"name" secrets:"no" doc:"such as iPhone 15 or Pixel 7 landscape; the tool devices lists them"`
}

// Device finds one of Playwright's devices by its name.
func Device(e *browser.Engine, name string) (*playwright.DeviceDescriptor, error) {
	if d := e.Driver.Playwright.Devices[name]; d != nil {
		return d, nil
	}
	like := devicesLike(e, name)
	if len(like) == 0 && strings.Contains(name, " ") {
		like = devicesLike(e, strings.Fields(name)[0])
	}
	err := provider.Errorf(provider.KindArgs, "there is no device %q", name)
	if len(like) > 0 {
		return nil, err.WithHint("there are %s", secrets.Shorten(strings.Join(like, ", "), 300))
	}
	return nil, err.WithHint("the tool devices lists them")
}

func devicesLike(e *browser.Engine, text string) []string {
	names := []string{}
	for name := range e.Driver.Playwright.Devices {
		if strings.Contains(strings.ToLower(name), strings.ToLower(text)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// emulateDevice gives an open page the settings of a context with that device.
func emulateDevice(c *tool.Call, in nameParams) error {
	d, err := Device(c.Engine, in.Name)
	if err != nil {
		return err
	}
	if err := c.Rescale(d.Viewport.Width, d.Viewport.Height, d.DeviceScaleFactor); err != nil {
		return c.Fail(err, "")
	}
	if err := setUserAgent(c, d.UserAgent, nil); err != nil {
		return err
	}
	touch := map[string]any{"enabled": d.HasTouch}
	if d.HasTouch {
		touch["maxTouchPoints"] = 5
	}
	if err := c.Emulate("Emulation.setTouchEmulationEnabled", touch); err != nil {
		return c.Fail(err, "")
	}
	looking.Of(c.Page).Store(d)
	return c.Fail(setMetrics(c, d, d.Viewport.Width, d.Viewport.Height), "")
}

type likeParams struct {
	Text string `json:"text,omitempty" doc:"part of the name, in any case"`
}

// listDevices is playwright.devices.
func listDevices(_ context.Context, s *browser.Session, in likeParams) ([]string, error) {
	return devicesLike(s.Current(), in.Text), nil
}

type userAgentParams struct {
	UserAgent string `json:"agent" doc:"what the page tells its site"`
}

// userAgent is DevTools' Emulation.setUserAgentOverride.
func userAgent(c *tool.Call, in userAgentParams) error {
	return setUserAgent(c, in.UserAgent, nil)
}

// posing is the user agent that was set for a page, "" for none.
var posing browser.State[*browser.Page, identity]

type identity struct {
	mu       sync.Mutex
	agent    string
	language *string
}

// setUserAgent overrides user agent and language, which DevTools sets with one command;
// "" and nil keep the earlier value.
func setUserAgent(c *tool.Call, agent string, language *string) error {
	own := posing.Of(c.Page)
	own.mu.Lock()
	own.agent, own.language = cmp.Or(agent, own.agent), cmp.Or(language, own.language)
	agent, language = own.agent, own.language
	own.mu.Unlock()
	if agent == "" {
		v, err := c.PW.Evaluate("navigator.userAgent")
		if err != nil {
			return c.Fail(err, "")
		}
		agent = fmt.Sprint(v)
	}
	params := map[string]any{"userAgent": agent}
	if language != nil && *language != "" {
		params["acceptLanguage"] = *language
	}
	return c.Fail(onDriversSession(c, "Emulation.setUserAgentOverride", params), "")
}

// onDriversSession emulates with the driver's own session, if pwpipe shares it:
// Chromium lets no other session change a locale that the context was opened with.
func onDriversSession(c *tool.Call, method string, params map[string]any) error {
	_ = c.Attached() // then it is known which page this is
	if s := c.DriversSession(); s != nil {
		return s.Call(c.Ctx, method, params, nil)
	}
	return c.Emulate(method, params)
}

type localeParams struct {
	Locale string `json:"locale" doc:"such as de-DE; \"\" for the browser's own"`
}

func localeSpec() tool.Spec {
	s := tool.Emulate.Acts("locale", "Locale",
		"Set the page's language, dates and numbers (Chromium; elsewhere give it to open-ctx)")
	s.More = "In the page's workers Intl, dates and numbers follow, but Chromium keeps navigator.language."
	return s
}

// locale sets navigator.language, the header Accept-Language and Intl.
func locale(c *tool.Call, in localeParams) error {
	params, tag := map[string]any{}, cmp.Or(in.Locale, c.Engine.Locale)
	if tag != "" {
		params["locale"] = tag
	}
	if in.Locale != "" && !intlTakes(c, "l => new Intl.Locale(l)", in.Locale) {
		return provider.Errorf(provider.KindArgs, "locale: %q is not a locale", in.Locale).
			WithHint("expected a tag such as de-DE")
	}
	if err := onDriversSession(c, "Emulation.setLocaleOverride", params); err != nil {
		return c.Fail(err, "")
	}
	return setUserAgent(c, "", &tag)
}

type timezoneParams struct {
	Zone string `json:"zone" doc:"such as Europe/Paris; \"\" for the machine's own"`
}

// timezone is DevTools' Emulation.setTimezoneOverride.
func timezone(c *tool.Call, in timezoneParams) error {
	if in.Zone != "" && !intlTakes(c, "z => new Intl.DateTimeFormat('en', {timeZone: z})", in.Zone) {
		return provider.Errorf(provider.KindArgs, "zone: there is no time zone %q", in.Zone).
			WithHint("expected a name such as Europe/Paris")
	}
	return c.Fail(c.Emulate("Emulation.setTimezoneOverride", map[string]any{"timezoneId": in.Zone}), "")
}

// intlTakes reports whether the browser knows a name: DevTools accepts any.
func intlTakes(c *tool.Call, script, name string) bool {
	v, err := c.PW.Evaluate("n => { try { ("+script+")(n); return true } catch { return false } }", name)
	return err != nil || v == true
}

// MediaParams are the parameters of [Media].
type MediaParams struct {
	Scheme   string `json:"scheme,omitempty" doc:"prefers-color-scheme" enum:"light,dark,no-override"`
	Media    string `json:"media,omitempty" doc:"medium" enum:"screen,print,no-override"`
	Motion   string `json:"motion,omitempty" doc:"prefers-reduced-motion" enum:"reduce,no-preference,no-override"`
	Forced   string `json:"forced,omitempty" doc:"forced-colors" enum:"active,none,no-override"`
	Contrast string `json:"contrast,omitempty" doc:"prefers-contrast" enum:"more,no-preference,no-override"`
}

// media is page.emulateMedia; absent parameters keep their values.
func media(c *tool.Call, in MediaParams) error {
	o := playwright.PageEmulateMediaOptions{ColorScheme: tool.Pick[playwright.ColorScheme](in.Scheme), Media: tool.Pick[playwright.Media](in.Media),
		ReducedMotion: tool.Pick[playwright.ReducedMotion](in.Motion), ForcedColors: tool.Pick[playwright.ForcedColors](in.Forced),
		Contrast: tool.Pick[playwright.Contrast](in.Contrast)}
	return c.Fail(workarounds.EmulateMedia(c.Page, o), "")
}
