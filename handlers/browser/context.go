package browser

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/contextoptions"
	"pwpipe/provider"
)

// options are what the driver is asked to open a context with.
func (s *Session) options(r contextoptions.Request) (o contextoptions.Options, err error) {
	if err := r.Judge(); err != nil {
		return o, provider.Errorf(provider.KindBlocked, "blocked: %w", err)
	}
	if r.Proxy != nil && s.Browser.Policy().Guards() {
		return o, ErrOwnProxy()
	}
	if o, err = s.ContextOptions(); err != nil {
		return o, err
	}
	r.Over(&o)
	if err := mayDraw(o); err != nil {
		return o, err
	}
	for _, h := range s.Browser.hooks {
		if h.Options == nil {
			continue
		}
		if err := h.Options(s, &o); err != nil {
			return o, err
		}
	}
	if err := s.MayGrant(o.Permissions); err != nil {
		return o, err
	}
	s.Browser.certify(&o)
	return o, nil
}

// MayGrant asks features whether a context of the session may have permissions, by Playwright's
// names.
func (s *Session) MayGrant(names []string) error {
	for _, h := range s.Browser.hooks {
		if h.Grants != nil {
			if err := h.Grants(s, names); err != nil {
				return err
			}
		}
	}
	return nil
}

// certify gives a context the client certificates. Then the driver speaks TLS with the sites, by
// a proxy of its own before the context; behind that stands the context's proxy, or else ours.
func (b *Browser) certify(o *contextoptions.Options) {
	o.ClientCertificates = append(o.ClientCertificates, b.Config.ClientCertificates...)
	if filter := b.Filter(); len(o.ClientCertificates) > 0 && o.Proxy == nil && filter != nil {
		o.Proxy = &playwright.Proxy{Server: filter.URL()}
	}
}

// open makes a browser context and takes its place among those that the
// browser may have. A context that comes after ctx has ended is closed: nobody
// would know of it.
func (s *Session) open(ctx context.Context, e *Engine, asked contextoptions.Request) (playwright.BrowserContext, error) {
	if e.First != nil {
		return e.First, nil
	}
	places := s.Browser.places
	if err := places.Take(e, e.Gone, s.Browser.Config.MaxContexts); err != nil {
		return nil, err
	}
	o, err := s.options(asked)
	if err != nil {
		places.Leave(e)
		return nil, err
	}
	if o.Locale == nil && e.Locale != "" {
		o.Locale = &e.Locale
	}
	made := make(chan playwright.BrowserContext, 1) // nil for none
	c, err := Await(ctx, e, nil, func() (playwright.BrowserContext, error) {
		c, err := e.Browser.NewContext(o)
		if err != nil {
			places.Leave(e)
			c = nil
		}
		made <- c
		return c, err
	})
	if err != nil {
		go func() {
			if late := <-made; late != nil {
				_ = late.Close()
				places.Leave(e)
			}
		}()
		return nil, err
	}
	s.noteShape(c, shapeOfNew(o))
	c.OnClose(func(playwright.BrowserContext) { places.Leave(e) })
	return c, nil
}

// ContextOptions are the session's options, over the browser's.
func (s *Session) ContextOptions() (o playwright.BrowserNewContextOptions, err error) {
	if s.Options.Context != nil {
		o, err = s.Options.Context()
	}
	if base := s.Browser.Config.BaseURL; base != "" {
		o.BaseURL = playwright.String(base)
	}
	return o, err
}

// ErrOwnProxy is of a proxy that would lead around pwpipe's own.
func ErrOwnProxy() error {
	return provider.Errorf(provider.KindBlocked,
		"blocked: proxy: domains are restricted, so only pwpipe's own proxy is allowed")
}
