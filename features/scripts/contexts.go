package scripts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/contextoptions"
	"pwpipe/provider"
)

// contexts are the contexts that scripts of a session see, by Chromium's ids. The
// driver opens and closes all of them. So they have handles, and one party does all
// emulation.
type contexts struct {
	session *browser.Session
	engine  *browser.Engine
}

// known is the part of a context's options that the script process gets: what
// Playwright reports, and what its requests need. The driver does the rest.
type known struct {
	Viewport          *playwright.Size    `json:"viewport"`
	Screen            *playwright.Size    `json:"screen,omitempty"`
	BaseURL           *string             `json:"baseURL,omitempty"`
	IsMobile          *bool               `json:"isMobile,omitempty"`
	IgnoreHTTPSErrors *bool               `json:"ignoreHTTPSErrors,omitempty"`
	ExtraHTTPHeaders  []scripthost.Header `json:"extraHTTPHeaders,omitempty"`
	StrictSelectors   *bool               `json:"strictSelectors,omitempty"`
	Proxy             *playwright.Proxy   `json:"proxy,omitempty"`
}

func (c contexts) options(id string) (any, error) {
	pw := c.by(id)
	if pw == nil {
		return nil, errors.New("no such context")
	}
	openedBy.Of(c.session).identify(pw, id)
	return c.known(pw)
}

// by is the session's context with an id, nil if there is none.
func (c contexts) by(id string) playwright.BrowserContext {
	if pw := openedBy.Of(c.session).context(id); pw != nil {
		return pw
	}
	if pw := c.session.ContextBy(id); pw != nil {
		return pw
	}
	for _, p := range c.session.OpenPages() { // theirs
		if id != "" && p.ContextID() == id {
			return p.Context
		}
	}
	return nil
}

func (c contexts) known(pw playwright.BrowserContext) (known, error) {
	if c.session.IsTheirs(pw) { // it keeps that person's settings
		if url := c.session.Browser.Config.BaseURL; url != "" {
			return known{BaseURL: &url}, nil
		}
		return known{}, nil
	}
	base, err := c.session.ContextOptions()
	if err != nil {
		return known{}, err
	}
	o := openedBy.Of(c.session).of(pw).options
	k := known{Viewport: cmp.Or(o.Viewport, base.Viewport), Screen: cmp.Or(o.Screen, base.Screen), BaseURL: cmp.Or(o.BaseURL, base.BaseURL), IsMobile: cmp.Or(o.IsMobile, base.IsMobile),
		IgnoreHTTPSErrors: cmp.Or(o.IgnoreHttpsErrors, base.IgnoreHttpsErrors), StrictSelectors: cmp.Or(o.StrictSelectors, base.StrictSelectors)}
	if none := cmp.Or(o.NoViewport, base.NoViewport); k.Viewport == nil && (none == nil || !*none) {
		k.Viewport = &playwright.Size{Width: 1280, Height: 720}
	}
	headers := o.ExtraHttpHeaders
	if headers == nil {
		headers = base.ExtraHttpHeaders
	}
	for name, value := range headers {
		k.ExtraHTTPHeaders = append(k.ExtraHTTPHeaders, scripthost.Header{Name: name, Value: value})
	}
	if !c.session.Browser.Policy().Guards() {
		k.Proxy = cmp.Or(o.Proxy, base.Proxy)
	}
	return k, nil
}

// openedBy are a session's contexts whose ids no page shows.
var openedBy browser.State[*browser.Session, opened]

type opened struct {
	mu   sync.Mutex
	list map[playwright.BrowserContext]openContext
}

// openContext is a context as it was opened.
type openContext struct {
	options playwright.BrowserNewContextOptions
	id      string // "" if scripts don't know it
}

// note is called for each context. closed is called with the id of one that a script
// knows.
func (o *opened) note(c *browser.Opened, closed func(id string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.list == nil {
		o.list = map[playwright.BrowserContext]openContext{}
	}
	o.list[c.BrowserContext] = openContext{options: c.Options}
	c.OnClose(func(pw playwright.BrowserContext) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if id := o.list[pw].id; id != "" {
			go closed(id)
		}
		delete(o.list, pw)
	})
}

func (o *opened) identify(pw playwright.BrowserContext, id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if c, open := o.list[pw]; open {
		c.id = id
		o.list[pw] = c
	}
}

// context is the one with an id, nil if there is none.
func (o *opened) context(id string) playwright.BrowserContext {
	o.mu.Lock()
	defer o.mu.Unlock()
	for pw, c := range o.list {
		if c.id == id && id != "" {
			return pw
		}
	}
	return nil
}

// of is a context as it was opened, empty for one that is not open.
func (o *opened) of(pw playwright.BrowserContext) openContext {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.list[pw]
}

// driverOptions copies a script's options for the driver, field by field: a script can
// request nothing else of the driver.
func driverOptions(in scripthost.ContextOptions) playwright.BrowserNewContextOptions {
	o := playwright.BrowserNewContextOptions{
		BaseURL: in.BaseURL, BypassCSP: in.BypassCSP, DeviceScaleFactor: in.DeviceScaleFactor, HasTouch: in.HasTouch,
		IgnoreHttpsErrors: in.IgnoreHTTPSErrors, IsMobile: in.IsMobile, JavaScriptEnabled: in.JavaScriptEnabled,
		Locale: in.Locale, NoViewport: in.NoDefaultViewport, Offline: in.Offline, Permissions: in.Permissions,
		StrictSelectors: in.StrictSelectors, TimezoneId: in.TimezoneID, UserAgent: in.UserAgent,
		ColorScheme:    (*playwright.ColorScheme)(in.ColorScheme),
		ForcedColors:   (*playwright.ForcedColors)(in.ForcedColors),
		ReducedMotion:  (*playwright.ReducedMotion)(in.ReducedMotion),
		ServiceWorkers: (*playwright.ServiceWorkerPolicy)(in.ServiceWorkers),
		Screen:         (*playwright.Size)(in.Screen), Viewport: (*playwright.Size)(in.Viewport),
		Geolocation: (*playwright.Geolocation)(in.Geolocation), Proxy: (*playwright.Proxy)(in.Proxy),
	}
	if in.AcceptDownloads != nil {
		o.AcceptDownloads = playwright.Bool(*in.AcceptDownloads == "accept")
	}
	if in.ExtraHTTPHeaders != nil {
		o.ExtraHttpHeaders = map[string]string{}
		for _, h := range in.ExtraHTTPHeaders {
			o.ExtraHttpHeaders[h.Name] = h.Value
		}
	}
	if c := in.HTTPCredentials; c != nil {
		o.HttpCredentials = &playwright.HttpCredentials{Username: c.Username, Password: c.Password,
			Origin: c.Origin, Send: (*playwright.HttpCredentialsSend)(c.Send)}
	}
	return o
}

// opening is held while a context is opened: the new one is found by comparing the
// browser's contexts before and after.
var opening sync.Mutex

// open is browser.newContext. The script's options override the session's own.
func (c contexts) open(ctx context.Context, in scripthost.ContextOptions) (id string, _ any, err error) {
	if err := endpoint.Rules(c.session).Open(); err != nil {
		return "", nil, err
	}
	opening.Lock()
	defer opening.Unlock()
	before, err := c.listed(ctx)
	if err != nil {
		return "", nil, err
	}
	pw, _, err := c.session.NewContextWith(ctx, c.engine, contextoptions.Request{Options: driverOptions(in)})
	if err != nil {
		return "", nil, err
	}
	after, err := c.listed(ctx)
	if err == nil {
		after = slices.DeleteFunc(after, func(id string) bool { return slices.Contains(before, id) })
		if len(after) != 1 { // others open theirs
			after = []string{c.find(ctx, pw)}
		}
		if after[0] == "" {
			err = errors.New("the browser did not report which context is the new one")
		}
	}
	if err != nil {
		_ = pw.Close()
		return "", nil, err
	}
	openedBy.Of(c.session).identify(pw, after[0])
	c.session.CountPages(c.engine, after[0])
	k, err := c.known(pw)
	return after[0], k, err
}

func (c contexts) listed(ctx context.Context) ([]string, error) {
	var got struct {
		IDs []string `json:"browserContextIds"`
	}
	devtools, _, err := c.engine.Line()
	if err == nil {
		err = devtools.Call(ctx, "Target.getBrowserContexts", nil, &got)
	}
	return got.IDs, err
}

func (c contexts) close(id string) error {
	switch pw := c.by(id); {
	case pw == nil:
		return nil // it is closed
	case c.session.IsTheirs(pw):
		return errors.New("pwpipe does not close a context of a browser that it attached to; close its pages")
	default:
		return pw.Close()
	}
}

// closeAll is browser.close: it ends the session's contexts, and nothing else. The next
// request gets fresh ones.
func (c contexts) closeAll() error {
	ctx, cancel := context.WithTimeout(context.Background(), browser.CloseTime)
	defer cancel()
	c.session.CloseContexts(ctx, "a script closed the browser")
	if ctx.Err() != nil {
		return provider.Errorf(provider.KindTimeout, "the contexts did not close within %s", browser.CloseTime)
	}
	return nil
}
