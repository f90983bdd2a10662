package browser

import (
	"context"
	"reflect"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// open makes a browser context and takes its place among those that the
// browser may have. A context that comes after ctx has ended is closed: nobody
// would know of it.
func (s *Session) open(ctx context.Context, e *Engine, over playwright.BrowserNewContextOptions) (playwright.BrowserContext, error) {
	if e.First != nil {
		return e.First, nil
	}
	places := s.Browser.places
	if err := places.Take(e, e.Gone, s.Browser.Config.MaxContexts); err != nil {
		return nil, err
	}
	o, err := s.ContextOptions()
	if err != nil {
		places.Leave(e)
		return nil, err
	}
	overlay(&o, over)
	if over.Proxy != nil && s.Browser.Policy().Guards() {
		places.Leave(e)
		return nil, ErrOwnProxy()
	}
	if err := s.Browser.hooks.options(s, &o); err != nil {
		places.Leave(e)
		return nil, err
	}
	var (
		mu        sync.Mutex
		made      playwright.BrowserContext
		abandoned bool
	)
	c, err := Await(ctx, e, nil, func() (playwright.BrowserContext, error) {
		c, err := e.Browser.NewContext(o)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			places.Leave(e)
			return nil, err
		case abandoned:
			go func() { _ = c.Close(); places.Leave(e) }()
			return nil, ctx.Err()
		}
		made = c
		return c, nil
	})
	mu.Lock()
	defer mu.Unlock()
	if err != nil {
		abandoned = true
		if made != nil {
			go func() { _ = made.Close(); places.Leave(e) }()
		}
		return nil, err
	}
	c.OnClose(func(playwright.BrowserContext) { places.Leave(e) })
	return c, nil
}

// ContextOptions are those of the session, over those of the browser.
func (s *Session) ContextOptions() (playwright.BrowserNewContextOptions, error) {
	o := playwright.BrowserNewContextOptions{}
	if s.Options.Context != nil {
		var err error
		if o, err = s.Options.Context(); err != nil {
			return o, err
		}
	}
	if base := s.Browser.Config.BaseURL; base != "" {
		o.BaseURL = playwright.String(base)
	}
	return o, nil
}

// ErrOwnProxy is of a proxy that would lead around pwpipe's own.
func ErrOwnProxy() error {
	return provider.Errorf(provider.KindBlocked, "blocked: proxy: where domains are restricted, pwpipe's own proxy is the only one")
}

// overlay puts the options that are given over others.
func overlay(o *playwright.BrowserNewContextOptions, over playwright.BrowserNewContextOptions) {
	to, from := reflect.ValueOf(o).Elem(), reflect.ValueOf(over)
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			to.Field(i).Set(f)
		}
	}
}
