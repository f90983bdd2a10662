package guard

import (
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// scriptGuard judges what the calls of scripts name, by the rules of tools and
// before they are made: the proxy and the checks around a tool don't see all of
// it, for a script could go somewhere, read, and come back before anybody looks.
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

// Navigate judges where a page is to go.
func (g scriptGuard) Navigate(raw string) error {
	return g.refusal(raw, g.policy.Navigate(raw, g.base))
}

// Request judges what a script itself asks for.
func (g scriptGuard) Request(raw string) error {
	return g.refusal(raw, g.policy.Request(policy.Resolve(raw, g.base)))
}

func (g scriptGuard) refusal(raw string, err error) error {
	if err == nil {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", g.short(raw, 200), err)
}

// Proxy judges that a context is to have a proxy of its own.
func (g scriptGuard) Proxy() error {
	if g.policy.Guards() {
		return blockedScript("proxy", "where domains are restricted, pwpipe's own proxy is the only one")
	}
	return nil
}

// Open judges that a context is opened.
func (g scriptGuard) Open() error {
	if g.attached && g.policy.Guards() {
		return blockedScript("browser.newContext", "what it opens in a browser that pwpipe did not start would not be under the policy")
	}
	return nil
}

// Upload judges a file that a page is to be given.
func (g scriptGuard) Upload(path string) error { return files.MayUpload(path) }

func blockedScript(what, why string) error {
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %s", what, why)
}
