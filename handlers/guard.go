package handlers

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// The policy is enforced at four points, the first three here, once for every
// tool: a URL is judged before a tool navigates to it; the page is judged
// before a tool acts or reads; and judged again afterwards, before anything is
// answered. The fourth is stronger and does not depend on tools: a browser
// that pwpipe starts reaches the network through [guardproxy] alone.

// judged is what the guard knows of a page.
var judged State[*page, pageGuard]

type pageGuard struct {
	mu      sync.Mutex
	ok      string // the URL that was judged last and passed
	stopped string // a URL that the page was stopped on its way to
	failed  string // a URL that the page did not get to, whatever the reason
}

// guardHook keeps pages where the policy allows.
var guardHook = Hooks{Context: func(s *Session, o *Opened) error {
	s.watchStops(o.BrowserContext)
	return s.intercept(o.BrowserContext)
}}

// arrived forgets what the page was stopped on its way to.
func (g *pageGuard) arrived() {
	g.mu.Lock()
	g.stopped = ""
	g.mu.Unlock()
}

// mayRun judges before a tool runs: the URL that it goes to (raw), or with "" the
// page that it works on. Leaving a page that should not be there is always
// allowed.
func (p *page) mayRun(ctx context.Context, raw string) error {
	if raw == "" {
		return p.strayed(ctx)
	}
	judged.Of(p).arrived()
	return p.mayGo(raw)
}

// mayGo judges a URL before the page is sent there.
func (p *page) mayGo(raw string) error {
	if e := p.refusal(p.session.browser.policy().Navigate(raw, p.session.browser.cfg.BaseURL), raw); e != nil {
		return e
	}
	return nil
}

// refusal words the policy's no, nil if it was a yes.
func (p *page) refusal(err error, target string) *provider.Error {
	var r *policy.Refusal
	if !errors.As(err, &r) {
		return nil
	}
	e := provider.Errorf(provider.KindBlocked, "blocked: %s: %w", p.short(target, 200), r)
	e.Page = p.where().page
	return e
}

// strayed reports a page that is where the policy does not allow, or was
// stopped on its way there, and takes it back to about:blank. A tab that was
// there when pwpipe attached is left as it is.
func (p *page) strayed(ctx context.Context) error {
	g, pol, at := judged.Of(p), p.session.browser.policy(), p.pw.URL()
	g.mu.Lock()
	stopped, fine, found := g.stopped, g.ok == at, p.wasFoundAt(at)
	g.mu.Unlock()
	if stopped == "" && fine {
		return nil
	}
	refused := p.refusal(pol.At(at), at)
	if refused != nil && found {
		return refused.WithHint("the tab was there before pwpipe attached and is left alone")
	}
	if refused == nil && stopped != "" {
		refused = p.refusal(pol.At(stopped), stopped)
	}
	if refused == nil {
		g.mu.Lock()
		g.ok = at
		g.mu.Unlock()
		return nil
	}
	p.reset(ctx)
	return refused.WithHint("the page was taken to about:blank")
}

// resetTime bounds the way back to about:blank.
const resetTime = 5 * time.Second

// reset takes the page to about:blank. A page that can't even do that is
// closed: what it shows must not be read later.
func (p *page) reset(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resetTime)
	defer cancel()
	err := awaitDo(ctx, p.engine, p, func() error {
		for {
			_, err := p.pw.Goto("about:blank", playwright.PageGotoOptions{Timeout: playwright.Float(float64(resetTime.Milliseconds()))})
			if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "interrupted by another navigation") {
				return err
			}
		}
	})
	if err != nil && p.lost() == nil {
		p.session.dropPage(p, "it was somewhere the policy does not allow, and could not be taken back")
		go func() {
			p.letGo()
			_ = p.pw.Close()
		}()
	}
	judged.Of(p).arrived()
}

// watchStops notes which page did not get where, and whether it was stopped on
// its way. It only registers: the callback asks the browser nothing.
func (s *Session) watchStops(c playwright.BrowserContext) {
	pol := s.browser.policy()
	c.OnRequestFailed(func(r playwright.Request) {
		if !r.IsNavigationRequest() {
			return
		}
		f := r.Frame()
		if f == nil || f.ParentFrame() != nil {
			return
		}
		p := s.find(f.Page())
		if p == nil {
			return
		}
		p.errorPageDue(r.Failure())
		if !pol.Guards() {
			return
		}
		g := judged.Of(p)
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.failed = r.URL(); pol.Request(r.URL()) != nil {
			g.stopped = r.URL()
		}
	})
}

var reHTTPS = regexp.MustCompile("^https:")

// intercept is what stands in for the proxy in a browser that pwpipe did not
// start, and judges what the proxy can't see where it did: the paths of https.
// It blocks into Playwright.
func (s *Session) intercept(c playwright.BrowserContext) error {
	pol, attached := s.browser.policy(), s.browser.cfg.attached()
	if !pol.Guards() || !attached && pol.HostsDecide() {
		return nil
	}
	refused := func(raw string) bool { return pol.Request(raw) != nil }
	if !attached {
		// playwright-go runs this in a goroutine of its own, so it may block.
		return c.Route(reHTTPS, func(r playwright.Route) {
			if refused(r.Request().URL()) {
				_ = r.Abort("blockedbyclient")
				return
			}
			_ = r.Continue()
		})
	}
	if err := c.Route(refused, func(r playwright.Route) { go func() { _ = r.Abort("blockedbyclient") }() }); err != nil {
		return err
	}
	return c.RouteWebSocket(refused, func(ws playwright.WebSocketRoute) {
		go ws.Close(playwright.WebSocketRouteCloseOptions{Code: playwright.Int(1008), Reason: playwright.String("blocked by policy")})
	})
}
