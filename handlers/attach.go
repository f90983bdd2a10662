package handlers

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// A browser that pwpipe attached to is somebody's: its contexts and open tabs
// get handles, and are left as they are when pwpipe goes.

// Tabs says whether a session is lent the open tabs of an attached browser.
type Tabs int

// Who gets the tabs: one session at a time.
const (
	TabsIfFree Tabs = iota // unless another session has them
	TabsNever              // the session has contexts of its own only
	TabsMust               // or the session can't be opened
)

// lent is who has the open tabs of an attached browser.
type lent struct {
	mu sync.Mutex // also held while they get their handles
	to *Session   // nil for nobody
}

// adopt gives handles to what is open in a browser that pwpipe attached to, if
// they are this session's to have.
func (s *Session) adopt(ctx context.Context, e *engine) error {
	if !s.browser.cfg.attached() || s.tabs == TabsNever {
		return nil
	}
	e.lent.mu.Lock()
	defer e.lent.mu.Unlock()
	switch {
	case e.lent.to == s:
		return nil
	case e.lent.to != nil && s.tabs == TabsMust:
		return provider.Errorf(provider.KindLimit, "another session has the open tabs").WithHint("close it, or open a session without tabs")
	case e.lent.to != nil:
		return nil
	}
	e.lent.to = s
	for _, c := range e.found {
		s.mu.Lock()
		s.contexts.add(c)
		if s.theirs == nil {
			s.theirs = map[playwright.BrowserContext]bool{}
		}
		s.theirs[c] = true
		s.mu.Unlock()
		s.watchContext(e, c)
		s.noteFound(c)
		if _, err := await(ctx, e, nil, func() (none, error) { return none{}, s.intercept(c) }); err != nil {
			return err
		}
	}
	return nil
}

// returnTabs lets another session have the tabs.
func (s *Session) returnTabs(e *engine) {
	e.lent.mu.Lock()
	defer e.lent.mu.Unlock()
	if e.lent.to == s {
		e.lent.to = nil
	}
}

// isTheirs reports whether a page is one of an attached browser's own.
func (s *Session) isTheirs(pw playwright.Page) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return pw != nil && s.theirs[pw.Context()]
}

// noteFound remembers where the tabs are that were there before, and makes the
// first of them the active page.
func (s *Session) noteFound(c playwright.BrowserContext) {
	for _, pw := range c.Pages() {
		s.mu.Lock()
		p := s.byPW[pw]
		if p != nil && s.active == "" {
			s.active = s.pages.names[p]
			s.pages.use(s.active)
		}
		s.mu.Unlock()
		if p != nil {
			p.guard.mu.Lock()
			p.guard.found = pw.URL()
			p.guard.mu.Unlock()
		}
	}
}

// address is a URL by the base URL, which contexts that were there before
// pwpipe do not know.
func (p *page) address(raw string) string {
	s := p.session
	s.mu.Lock()
	theirs := s.theirs[p.context]
	s.mu.Unlock()
	if !theirs {
		return raw
	}
	return policy.Resolve(raw, s.browser.cfg.BaseURL)
}

// cdpAddress is the address with its host as a number: Chrome answers requests
// that name it by an address or as localhost only.
func cdpAddress(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Hostname() == "localhost" {
		return raw
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return raw
	}
	addrs, err := net.LookupHost(u.Hostname())
	if err != nil || len(addrs) == 0 {
		return raw
	}
	u.Host = net.JoinHostPort(addrs[0], portOf(u))
	return u.String()
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https" || u.Scheme == "wss":
		return "443"
	}
	return "80"
}

// attachError says why there is no connection, and what to do.
func attachError(err error) string {
	line := firstLine(reAPIName.ReplaceAllString(cleanMessage(err), ""))
	switch {
	case strings.Contains(line, "ECONNREFUSED"):
		return "nothing listens there; start Chrome with --remote-debugging-port, or a Playwright server"
	case strings.Contains(line, "ENOTFOUND"), strings.Contains(line, "EAI_AGAIN"):
		return "no such host"
	}
	return line
}

// address is where an attached browser is, "" of one that pwpipe starts.
func (c Config) address() string {
	if c.CDP != "" {
		return c.CDP
	}
	return c.WS
}
