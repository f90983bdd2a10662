package emulate

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"
	_ "time/tzdata"

	"github.com/playwright-community/playwright-go"
	"golang.org/x/text/language"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/state"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/contextoptions"
	"pwpipe/provider"
)

// ContextTools open contexts with options, and close them.
func ContextTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnSession(tool.Emulate.Switches("open-ctx", "Open context",
			"Open a browser context with options: a device, a language, a saved state, …; its handle").
			Within(10*time.Second).OwnWords(), openCtx),
		tool.OnSessionDo(tool.Emulate.Switches("close-ctx", "Close context",
			"Close a context with its pages; what it records is written").Within(10*time.Second).OwnWords(), closeCtx),
	}
}

// CtxOptions are the options of a new context. They have Playwright's names, shortened
// if they are long.
type CtxOptions struct {
	Device    string            `json:"device,omitempty" doc:"device by name, such as iPhone 15; what is given beside it wins"`
	Width     int               `json:"width,omitempty" doc:"viewport, CSS pixels" min:"1" max:"20000"`
	Height    int               `json:"height,omitempty" doc:"viewport, CSS pixels" min:"1" max:"20000"`
	Scale     float64           `json:"scale,omitempty" doc:"device pixels in a CSS pixel" min:"0.1" max:"10"`
	Mobile    *bool             `json:"mobile,omitempty" doc:"heed the viewport meta tag, as phones do"`
	Touch     *bool             `json:"touch,omitempty" doc:"has a touch screen"`
	Agent     string            `json:"agent,omitempty" doc:"user agent"`
	Locale    string            `json:"locale,omitempty" doc:"such as de-DE"`
	Timezone  string            `json:"timezone,omitempty" doc:"such as Europe/Paris"`
	Scheme    string            `json:"scheme,omitempty" doc:"prefers-color-scheme" enum:"light,dark,no-preference"`
	State     tool.ReadPath     `json:"state,omitempty" doc:"file written by save-state"`
	Headers   map[string]string `json:"headers,omitempty" doc:"extra headers of every request"`
	User      string            `json:"user,omitempty" doc:"user name for HTTP authentication"`
	Password  string            `json:"password,omitempty" doc:"password for HTTP authentication"`
	Insecure  bool              `json:"insecure,omitempty" doc:"accept certificates that are not valid"`
	NoScript  bool              `json:"noscript,omitempty" doc:"run no JavaScript"`
	NoWorkers bool              `json:"noworkers,omitempty" doc:"block service workers, which hide requests from route"`
	HAR       tool.WritePath    `json:"har,omitempty" doc:"file to record the network traffic into, written when the context closes"`
}

// Options converts them to Playwright's.
func (in CtxOptions) Options(e *browser.Engine) (o playwright.BrowserNewContextOptions, err error) {
	if in.Device != "" {
		d, err := Device(e, in.Device)
		if err != nil {
			return o, err
		}
		o.Viewport, o.Screen, o.UserAgent = d.Viewport, d.Screen, &d.UserAgent
		o.DeviceScaleFactor, o.IsMobile, o.HasTouch = &d.DeviceScaleFactor, &d.IsMobile, &d.HasTouch
	}
	if (in.Width == 0) != (in.Height == 0) {
		return o, provider.Errorf(provider.KindArgs, "give both width and height")
	}
	if in.Width > 0 {
		o.Viewport = &playwright.Size{Width: in.Width, Height: in.Height}
		o.Screen = nil
	}
	o.DeviceScaleFactor, o.IsMobile = cmp.Or(tool.Optional(in.Scale), o.DeviceScaleFactor), cmp.Or(in.Mobile, o.IsMobile)
	o.HasTouch, o.UserAgent = cmp.Or(in.Touch, o.HasTouch), cmp.Or(tool.Optional(in.Agent), o.UserAgent)
	o.Locale, o.TimezoneId = tool.Optional(in.Locale), tool.Optional(in.Timezone)
	if _, err := time.LoadLocation(in.Timezone); err != nil {
		return o, provider.Errorf(provider.KindArgs, "timezone: there is no time zone %q", in.Timezone).
			WithHint("expected a name such as Europe/Paris")
	}
	if _, err := language.Parse(in.Locale); err != nil && in.Locale != "" {
		return o, provider.Errorf(provider.KindArgs, "locale: %q is not a locale", in.Locale).
			WithHint("expected a tag such as de-DE")
	}
	o.ColorScheme = tool.Pick[playwright.ColorScheme](in.Scheme)
	o.ExtraHttpHeaders = in.Headers
	if in.User != "" {
		o.HttpCredentials = &playwright.HttpCredentials{Username: in.User, Password: in.Password}
	}
	o.IgnoreHttpsErrors = tool.Optional(in.Insecure)
	if in.NoScript {
		o.JavaScriptEnabled = playwright.Bool(false)
	}
	if in.NoWorkers {
		o.ServiceWorkers = playwright.ServiceWorkerPolicyBlock
	}
	if in.State != "" {
		o.StorageState, err = state.ReadState(string(in.State))
	}
	return o, err
}

// HAR answers the file into which a context records its network for the call of ctx; path is the
// place that it gets in the end. The feature har sets it: without it no context is recorded.
var HAR browser.Setting[func(ctx context.Context, b *browser.Browser, e *browser.Engine, path string) string]

// ErrNoHAR is the error where the feature har is left out.
func ErrNoHAR() error {
	return provider.Errorf(provider.KindArgs, "har: this pwpipe runs without the feature har, which records it")
}

// openCtx is browser.newContext with options.
func openCtx(ctx context.Context, s *browser.Session, in CtxOptions) (string, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	o, err := in.Options(e)
	if err != nil {
		return "", err
	}
	if e.First != nil && !reflect.ValueOf(in).IsZero() {
		return "", provider.Errorf(provider.KindFailed, "a browser with --user-data-dir has one context, which takes no options")
	}
	asked := contextoptions.Request{Options: o}
	if in.HAR != "" {
		record := HAR.Of(s.Browser.Config)
		if record == nil {
			return "", ErrNoHAR()
		}
		asked.HAR = record(ctx, s.Browser, e, string(in.HAR))
	}
	_, name, err := s.NewContextWith(ctx, e, asked)
	return name, err
}

type ctxParams struct {
	Ctx string `json:"ctx" secrets:"no" doc:"context handle"`
}

// closeCtx is context.close.
func closeCtx(ctx context.Context, s *browser.Session, in ctxParams) error {
	return s.CloseNamed(ctx, in.Ctx)
}

// Hooks run the scripts of --init-script in each document, before a page's own.
var Hooks = browser.Hooks{Context: func(s *browser.Session, o *browser.Opened) error {
	for _, text := range s.Browser.Config.InitScripts {
		if err := o.AddInitScript(playwright.Script{Content: &text}); err != nil {
			return fmt.Errorf("--init-script: %w", err)
		}
	}
	return nil
}}
