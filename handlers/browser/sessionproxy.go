package browser

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/guardproxy"
	"pwpipe/provider"
)

// behindFilter has a session's own proxy stand behind a filtering one, which
// judges what the browser asks for before it goes there. The proxy itself must
// be where the policy allows. Where addresses are judged it can't be had: it
// would be the one that resolves names.
func (s *Session) behindFilter(o playwright.Proxy) (*playwright.Proxy, error) {
	pol := s.Browser.Policy()
	if pol.Lists() || s.Browser.Config.Attached() {
		return nil, errOwnProxy()
	}
	up, err := guardproxy.NewUpstream(o.Server, orEmpty(o.Bypass), orEmpty(o.Username), orEmpty(o.Password))
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "proxy: server: %w", err)
	}
	if err := pol.Request(up.Address()); err != nil {
		return nil, provider.Errorf(provider.KindBlocked, "blocked: proxy: %s: %w", s.Browser.Short(o.Server, 200), err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filter == nil {
		if s.filter, err = guardproxy.Start(guardproxy.Options{Policy: pol, Log: s.Browser.Log, Upstream: up}); err != nil {
			return nil, err
		}
	}
	return &playwright.Proxy{Server: s.filter.URL()}, nil
}

// FilterInUse is the filtering proxy that the session's pages are behind, nil
// for none.
func (s *Session) FilterInUse() *guardproxy.Proxy {
	s.mu.Lock()
	own := s.filter
	s.mu.Unlock()
	if own != nil {
		return own
	}
	s.Browser.mu.Lock()
	defer s.Browser.mu.Unlock()
	return s.Browser.proxy
}

// closeFilter ends the session's own.
func (s *Session) closeFilter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filter != nil {
		s.filter.Close()
		s.filter = nil
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
