package handlers

import (
	"net/url"
	"regexp"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// allowed judges the URL of a navigation by the allow-list, a regular
// expression over whole URLs.
func (c *call) allowed(target string) error {
	allow := c.session.browser.cfg.Allow
	if allow == nil || isBlank(target) || allow.MatchString(c.absolute(target)) {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "%s is not allowed here", c.short(target, 200)).
		WithHint("URLs must match %s", allow)
}

// absolute resolves a relative URL as the browser will.
func (c *call) absolute(raw string) string {
	if base := c.session.browser.cfg.BaseURL; base != "" {
		b, err := url.Parse(base)
		if err != nil {
			return raw
		}
		if u, err := b.Parse(raw); err == nil {
			return u.String()
		}
	}
	return raw
}

// landed looks where a navigation ended: redirects are not seen by request
// interception. A page that got where it must not be is emptied.
func (c *call) landed() error {
	now := c.pw.URL()
	err := c.allowed(now)
	if err != nil && !isOwnPage(now) {
		_, _ = c.pw.Goto("about:blank", playwright.PageGotoOptions{Timeout: playwright.Float(5000)})
		return err
	}
	return nil
}

// guardRoute refuses each request that the allow-list does not match. It runs
// after the session's own routes, whose replies need no network.
func guardRoute(allow *regexp.Regexp) func(playwright.Route) {
	// playwright-go runs this in a goroutine of its own, so it may block.
	return func(r playwright.Route) {
		if allow.MatchString(r.Request().URL()) {
			_ = r.Continue()
			return
		}
		_ = r.Abort("blockedbyclient")
	}
}

func isBlank(url string) bool { return url == "" || url == "about:blank" }

// isOwnPage tells the browser's own pages, such as the one that says that a
// navigation failed.
func isOwnPage(url string) bool {
	return isBlank(url) || len(url) > 15 && url[:15] == "chrome-error://"
}
