package endpoint

import (
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// ruling judges the calls of scripts by the rules of tools, before they happen.
// The proxy and the checks around a tool don't see all of them: a script could go
// somewhere, read, and come back before any check.
type ruling struct{ of *browser.Browser }

// Rules judges for the scripts of a session.
func Rules(s *browser.Session) ruling { return ruling{s.Browser} }

// Navigate judges a page's destination.
func (g ruling) Navigate(raw string) error {
	if err := guard.ClosedFile(raw); err != nil {
		return err
	}
	return g.refusal(raw, g.of.Policy().Navigate(raw, g.of.Config.BaseURL))
}

// Request judges a script's own request.
func (g ruling) Request(raw string) error {
	return g.refusal(raw, g.of.Policy().Request(policy.Resolve(raw, g.of.Config.BaseURL)))
}

func (g ruling) refusal(raw string, err error) error {
	if err == nil {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", g.of.Short(raw, 200), err)
}

// Proxy judges a context's own proxy.
func (g ruling) Proxy() error {
	if g.of.Policy().Guards() {
		return browser.ErrOwnProxy()
	}
	return nil
}

// Open judges the opening of a context.
func (g ruling) Open() error {
	if g.of.Config.Attached() && g.of.Policy().Guards() {
		return provider.Errorf(provider.KindBlocked,
			"blocked: browser.newContext: what it opens in a browser that pwpipe did not start would not be "+
				"under the policy")
	}
	return nil
}

// Upload judges a file for a page.
func (g ruling) Upload(path string) error { return files.MayUpload(path) }
