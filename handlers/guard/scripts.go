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
type scriptGuard struct{ of *browser.Browser }

// ScriptGuard judges for the scripts of a session.
func ScriptGuard(s *browser.Session) scriptGuard { return scriptGuard{s.Browser} }

// Navigate judges a page's destination.
func (g scriptGuard) Navigate(raw string) error {
	if err := closedFile(raw); err != nil {
		return err
	}
	return g.refusal(raw, g.of.Policy().Navigate(raw, g.of.Config.BaseURL))
}

// Request judges a script's own request.
func (g scriptGuard) Request(raw string) error {
	return g.refusal(raw, g.of.Policy().Request(policy.Resolve(raw, g.of.Config.BaseURL)))
}

func (g scriptGuard) refusal(raw string, err error) error {
	if err == nil {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", g.of.Short(raw, 200), err)
}

// Proxy judges a context's own proxy.
func (g scriptGuard) Proxy() error {
	if g.of.Policy().Guards() {
		return browser.ErrOwnProxy()
	}
	return nil
}

// Open judges the opening of a context.
func (g scriptGuard) Open() error {
	if g.of.Config.Attached() && g.of.Policy().Guards() {
		return provider.Errorf(provider.KindBlocked,
			"blocked: browser.newContext: what it opens in a browser that pwpipe did not start would not be under the policy")
	}
	return nil
}

// Upload judges a file for a page.
func (g scriptGuard) Upload(path string) error { return files.MayUpload(path) }
