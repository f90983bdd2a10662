// Package guard applies the policy: it checks the page before and after each
// tool, and what scripts ask for.
package guard

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// The policy is enforced around each tool, and in the network. Before a tool, judgeBefore
// judges the URL that it goes to, or else the page on which it works; after it, [Strayed]
// judges where the page is, before the answer. The network does not depend on tools: a
// browser that pwpipe starts reaches it only through [guardproxy], and intercept judges
// the rest: the paths of https there, and every request of a browser that was there
// before. watchStops remembers which refusal stopped a page.

var judged browser.State[*browser.Page, pageGuard]

type pageGuard struct {
	mu      sync.Mutex
	ok      string // the last URL that passed
	stopped string // a URL on the way to which the page was stopped
	why     error  // the refusal that stopped it
	leaving int64  // the document that it was to leave for that URL
	failed  string // a URL that the page did not reach, for any reason
}

// stoppedOn is the URL on the way to which a page was stopped. It is "" once the page
// has a document that is neither the one it was to leave nor the browser's error page,
// because somebody has navigated since, past our tools. The lock is held.
func (g *pageGuard) stoppedOn(p *browser.Page, at string) string {
	if p.Documents.Load() != g.leaving && !strings.HasPrefix(at, "chrome-error:") {
		return ""
	}
	return g.stopped
}

// Hooks keeps pages where the policy allows.
var Hooks = browser.Hooks{Options: behindFilter, Context: func(s *browser.Session, o *browser.Opened) error {
	watchStops(s, o.BrowserContext)
	return intercept(s, o.BrowserContext)
}}

// forgetStop forgets the URL on the way to which the page was stopped.
func (g *pageGuard) forgetStop() {
	g.mu.Lock()
	g.stopped = ""
	g.mu.Unlock()
}

// judgeBefore judges before a tool runs: the URL that it goes to (raw), or with "" the
// page on which it works. A tool may always leave a page that is not allowed.
func judgeBefore(ctx context.Context, p *browser.Page, raw string) error {
	if raw == "" {
		return Strayed(ctx, p)
	}
	judged.Of(p).forgetStop()
	return MayGo(p, raw)
}

// MayGo judges a URL before the page is sent there.
func MayGo(p *browser.Page, raw string) error {
	if err := ClosedFile(raw); err != nil {
		return err
	}
	if e := refusal(p, p.Session.Policy().Navigate(raw, p.Session.Browser.Config.BaseURL), raw); e != nil {
		return e
	}
	return nil
}

// refusal is the error for a refusal of the policy, nil if it allows.
func refusal(p *browser.Page, err error, target string) *provider.Error {
	var r *policy.Refusal
	if !errors.As(err, &r) {
		return nil
	}
	e := provider.Errorf(provider.KindBlocked, "blocked: %s: %w", p.Short(target, 200), r)
	e.Page = p.Where().Page
	return e
}

// Strayed reports a page that is at a URL that the policy refuses, or was stopped on
// its way to one, and takes it back to about:blank. A tab that existed when pwpipe
// attached is left alone.
func Strayed(ctx context.Context, p *browser.Page) error {
	g, pol, at := judged.Of(p), p.Session.Policy(), p.PW.URL()
	g.mu.Lock()
	stopped, why, fine, found := g.stoppedOn(p, at), g.why, g.ok == at, p.WasFoundAt(at)
	g.mu.Unlock()
	if stopped == "" && fine {
		return nil
	}
	refused := refusal(p, pol.At(at), at)
	if refused == nil {
		refused = ClosedFile(at)
	}
	if refused != nil && found {
		return refused.WithHint("the tab was open before pwpipe attached, so it stays as it is")
	}
	if refused == nil && stopped != "" {
		refused = refusal(p, why, stopped)
	}
	if refused == nil {
		g.mu.Lock()
		g.ok = at
		g.mu.Unlock()
		return nil
	}
	reset(ctx, p)
	return refused.WithHint("the page was taken to about:blank")
}

// resetTime bounds the way back to about:blank.
const resetTime = 5 * time.Second

// reset takes the page to about:blank. If that fails it closes the page, since its
// contents must not be read later.
func reset(ctx context.Context, p *browser.Page) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resetTime)
	defer cancel()
	err := browser.AwaitDo(ctx, p.Engine, p, func() error {
		for {
			_, err := p.PW.Goto("about:blank", playwright.PageGotoOptions{Timeout: playwright.Float(float64(resetTime.Milliseconds()))})
			if err == nil || ctx.Err() != nil || !pwerrors.IsInterrupted(err) {
				return err
			}
		}
	})
	if err != nil && p.Lost() == nil {
		p.Session.DropPage(p, "it was somewhere the policy does not allow, and could not be taken back")
		go func() {
			p.LetGo()
			_ = p.PW.Close()
		}()
	}
	judged.Of(p).forgetStop()
}

// watchStops records which page did not reach which URL, and whether it was stopped on
// its way. It only registers callbacks, which ask the browser nothing.
func watchStops(s *browser.Session, c playwright.BrowserContext) {
	pol := s.Policy()
	c.OnRequestFailed(func(r playwright.Request) {
		f := r.Frame()
		if !r.IsNavigationRequest() || f == nil || f.ParentFrame() != nil {
			return
		}
		p := s.Find(f.Page())
		if p == nil {
			return
		}
		if !pwerrors.IsAborted(r.Failure()) { // else Chromium has nothing to show, and shows no error page
			errorPage.Of(p).Store(p.Documents.Load() + 1)
		}
		if !pol.Guards() {
			return
		}
		g := judged.Of(p)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.failed = r.URL()
		if pwerrors.IsAborted(r.Failure()) {
			return // the page stays where it is
		}
		g.stopped, g.leaving, g.why = "", p.Documents.Load(), notReached(s, r.URL())
		if refusal(p, g.why, "") != nil {
			g.stopped = r.URL()
		}
	})
}

var reHTTPS = regexp.MustCompile("^https:")

// intercept replaces the proxy in a browser that pwpipe did not start. Behind the proxy
// it judges what the proxy can't see: paths of https. It blocks into Playwright.
func intercept(s *browser.Session, c playwright.BrowserContext) error {
	pol, attached := s.Policy(), s.Browser.Config.Attached()
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

// Guarded runs a tool on a page between the checks before and after it; to is its
// destination.
func Guarded[Out any](ctx context.Context, p *browser.Page, effect provider.Effect, to string, run func() (Out, error)) (Out, error) {
	var zero Out
	if err := judgeBefore(ctx, p, to); err != nil {
		return zero, err
	}
	turned := p.Turned.Load()
	out, err := run()
	if effect == provider.Acts {
		p.Session.Browser.Acted(p.Context)
	}
	if stray := Strayed(ctx, p); stray != nil {
		return zero, stray
	}
	if err == nil {
		err = p.OpenedTooMany(turned)
	}
	return out, p.Engine.BlameDisk(err)
}
