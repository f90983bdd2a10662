package guard

import (
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// scriptGuard judges the calls of scripts by the rules of tools, before they happen.
// The proxy and the checks around a tool don't see all of them: a script could go
// somewhere, read, and come back before any check.
type scriptGuard struct {
	policy   *policy.Policy
	base     string // relative URLs belong to it
	attached bool   // there is no proxy
	short    func(text string, most int) string
}

// ScriptGuard judges for the scripts of a session.
func ScriptGuard(s *browser.Session) scriptGuard {
	return scriptGuard{s.Browser.Policy(), s.Browser.Config.BaseURL, s.Browser.Config.Attached(), s.Browser.Short}
}

// Navigate judges a page's destination.
func (g scriptGuard) Navigate(raw string) error {
	return g.refusal(raw, g.policy.Navigate(raw, g.base))
}

// Request judges a script's own request.
func (g scriptGuard) Request(raw string) error {
	return g.refusal(raw, g.policy.Request(policy.Resolve(raw, g.base)))
}

func (g scriptGuard) refusal(raw string, err error) error {
	if err == nil {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", g.short(raw, 200), err)
}

// Proxy judges a context's own proxy.
func (g scriptGuard) Proxy() error {
	if g.policy.Guards() {
		return blockedScript("proxy", "domains are restricted, so only pwpipe's own proxy is allowed")
	}
	return nil
}

// Open judges the opening of a context.
func (g scriptGuard) Open() error {
	if g.attached && g.policy.Guards() {
		return blockedScript("browser.newContext", "what it opens in a browser that pwpipe did not start would not be under the policy")
	}
	return nil
}

// Upload judges a file for a page.
func (g scriptGuard) Upload(path string) error { return files.MayUpload(path) }

func blockedScript(what, why string) error {
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %s", what, why)
}
