package guard

import (
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/policy/guardproxy"
	"pwpipe/provider"
)

// filters are the filtering proxies before sessions' own proxies.
var filters = browser.State[*browser.Session, filter]{New: func(s *browser.Session) *filter {
	f := &filter{}
	s.OnClosed(f.close)
	return f
}}

type filter struct {
	mu    sync.Mutex
	proxy *guardproxy.Proxy // nil for none
}

// behindFilter has a session's own proxy stand behind a filtering one, which
// judges what the browser asks for before it goes there. The proxy itself must
// be where the policy allows. Where addresses are judged it can't be had: it
// would be the one that resolves names.
func behindFilter(s *browser.Session, o *playwright.BrowserNewContextOptions) error {
	pol := s.Browser.Policy()
	if o.Proxy == nil || !pol.Guards() {
		return nil
	}
	if pol.Lists() || s.Browser.Config.Attached() {
		return browser.ErrOwnProxy()
	}
	up, err := guardproxy.NewUpstream(o.Proxy.Server, orEmpty(o.Proxy.Bypass), orEmpty(o.Proxy.Username), orEmpty(o.Proxy.Password))
	if err != nil {
		return provider.Errorf(provider.KindArgs, "proxy: server: %w", err)
	}
	if err := pol.Request(up.Address()); err != nil {
		return provider.Errorf(provider.KindBlocked, "blocked: proxy: %s: %w", s.Browser.Short(o.Proxy.Server, 200), err)
	}
	f := filters.Of(s)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.proxy == nil {
		if f.proxy, err = guardproxy.Start(guardproxy.Options{Policy: pol, Log: s.Browser.Log, Upstream: up}); err != nil {
			return err
		}
	}
	o.Proxy = &playwright.Proxy{Server: f.proxy.URL()}
	return nil
}

// filterInUse is the filtering proxy that the session's pages are behind, nil
// for none.
func filterInUse(s *browser.Session) *guardproxy.Proxy {
	f := filters.Of(s)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.proxy != nil {
		return f.proxy
	}
	return s.Browser.Filter()
}

func (f *filter) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.proxy != nil {
		f.proxy.Close()
		f.proxy = nil
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Proxy is the address of the filtering proxy that a session's pages are behind,
// and what it knows of a URL that was not reached. Where the pages are behind none,
// as in a browser that pwpipe did not start, it is one for the scripts.
func Proxy(s *browser.Session) (address string, why func(url string) error, err error) {
	p := filterInUse(s)
	if p == nil {
		f := filters.Of(s)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.proxy == nil {
			if f.proxy, err = guardproxy.Start(guardproxy.Options{Policy: s.Browser.Policy(), Log: s.Browser.Log}); err != nil {
				return "", nil, err
			}
		}
		p = f.proxy
	}
	return p.URL(), p.Failure, nil
}
