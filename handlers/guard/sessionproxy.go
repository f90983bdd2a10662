package guard

import (
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/policy/guardproxy"
	"pwpipe/provider"
)

// filters are the filtering proxies in front of sessions' own proxies.
var filters = browser.State[*browser.Session, filter]{New: func(s *browser.Session) *filter {
	f := &filter{}
	s.OnClosed(f.close)
	return f
}}

type filter struct {
	mu    sync.Mutex
	proxy *guardproxy.Proxy // nil for none
}

// behindFilter puts a filtering proxy in front of a session's own proxy. It judges the
// browser's requests before they go there. The policy must allow the proxy's own
// address. A policy on addresses forbids such a proxy, because it would resolve the
// names.
func behindFilter(s *browser.Session, o *playwright.BrowserNewContextOptions) error {
	pol := s.Policy()
	if s.Options.Policy != nil && o.Proxy == nil { // the browser's proxy has another policy
		if s.Browser.Config.Attached() {
			return provider.Errorf(provider.KindBlocked, "the hosts of a team can't be enforced in an attached browser")
		}
		p, err := filters.Of(s).start(s, s.Browser.Config.Upstream)
		if err == nil {
			o.Proxy = &playwright.Proxy{Server: p.URL()}
		}
		return err
	}
	if o.Proxy == nil || !pol.Guards() {
		return nil
	}
	if pol.Lists() || s.Browser.Config.Attached() || s.Browser.Config.Upstream != nil {
		return browser.ErrOwnProxy()
	}
	up, err := guardproxy.NewUpstream(o.Proxy.Server, orEmpty(o.Proxy.Bypass), orEmpty(o.Proxy.Username), orEmpty(o.Proxy.Password))
	if err != nil {
		return provider.Errorf(provider.KindArgs, "proxy: server: %w", err)
	}
	if err := pol.Request(up.Address()); err != nil {
		return provider.Errorf(provider.KindBlocked, "blocked: proxy: %s: %w", s.Browser.Short(o.Proxy.Server, 200), err)
	}
	p, err := filters.Of(s).start(s, up)
	if err != nil {
		return err
	}
	o.Proxy = &playwright.Proxy{Server: p.URL()}
	return nil
}

// start starts the proxy before up (nil: none), unless it runs.
func (f *filter) start(s *browser.Session, up *guardproxy.Upstream) (_ *guardproxy.Proxy, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.proxy == nil {
		f.proxy, err = guardproxy.Start(guardproxy.Options{Policy: s.Policy(), Log: s.Browser.Log, Upstream: up})
	}
	return f.proxy, err
}

// filterInUse is the filtering proxy of the session's pages, nil for none.
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

// Proxy is the address of the filtering proxy of a session's pages, and a function for
// the reason why a URL was not reached. If the pages have none, as in a browser that
// pwpipe did not start, it is a proxy for the scripts.
func Proxy(s *browser.Session) (address string, why func(url string) error, err error) {
	p := filterInUse(s)
	if p == nil {
		if p, err = filters.Of(s).start(s, nil); err != nil {
			return "", nil, err
		}
	}
	return p.URL(), p.Failure, nil
}
