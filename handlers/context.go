package handlers

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
func (s *Session) open(ctx context.Context, e *engine, over playwright.BrowserNewContextOptions) (playwright.BrowserContext, error) {
	if e.first != nil {
		return e.first, nil
	}
	places := s.browser.places
	if err := places.take(e, e.gone, s.browser.cfg.MaxContexts); err != nil {
		return nil, err
	}
	o, err := s.contextOptions()
	if err != nil {
		places.leave(e)
		return nil, err
	}
	overlay(&o, over)
	if over.Proxy != nil && s.browser.policy().Guards() {
		places.leave(e)
		return nil, errOwnProxy()
	}
	if err := s.browser.hooks.options(s, &o); err != nil {
		places.leave(e)
		return nil, err
	}
	var (
		mu        sync.Mutex
		made      playwright.BrowserContext
		abandoned bool
	)
	c, err := await(ctx, e, nil, func() (playwright.BrowserContext, error) {
		c, err := e.browser.NewContext(o)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			places.leave(e)
			return nil, err
		case abandoned:
			go func() { _ = c.Close(); places.leave(e) }()
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
			go func() { _ = made.Close(); places.leave(e) }()
		}
		return nil, err
	}
	c.OnClose(func(playwright.BrowserContext) { places.leave(e) })
	return c, nil
}

// contextOptions are those of the session, over those of the browser.
func (s *Session) contextOptions() (playwright.BrowserNewContextOptions, error) {
	o := playwright.BrowserNewContextOptions{}
	if s.options.Context != nil {
		var err error
		if o, err = s.options.Context(); err != nil {
			return o, err
		}
	}
	if o.Proxy != nil && s.browser.policy().Guards() {
		own, err := s.behindFilter(*o.Proxy)
		if err != nil {
			return o, err
		}
		o.Proxy = own
	}
	if base := s.browser.cfg.BaseURL; base != "" {
		o.BaseURL = playwright.String(base)
	}
	return o, nil
}

func errOwnProxy() error {
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
