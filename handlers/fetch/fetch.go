// Package fetch declares the tool read, which reads a URL without a browser.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/read"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy"
	"pwpipe/internal/policy/guardproxy"
	"pwpipe/provider"
)

// Tools read without a browser.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.Define(tool.Read.Reads("read", "Read a URL",
			"Fetch a URL without a browser; its main content as Markdown, or its text").
			Within(30*time.Second).NoSession(), readURL),
	}
}

type readURLParams struct {
	URL   string `json:"url" doc:"http or https, or relative to the base URL"`
	Whole bool   `json:"whole,omitempty" doc:"the whole page rather than its main content"`
	Llms  *bool  `json:"llms,omitempty" doc:"the site's /llms.txt instead; left out: for a root that has one"`
}

// readURL has no part in any session: it sends no cookies, headers and logins of one, and
// keeps nothing for one.
func readURL(ctx context.Context, in readURLParams) (string, error) {
	b, err := browserUnder(ctx)
	if err != nil {
		return "", err
	}
	f := &fetching{ctx: ctx, b: b}
	if !provider.Holds(ctx, reads) {
		if err := takePlace(ctx, reads, "reads"); err != nil {
			return "", err
		}
	}
	at, err := f.whole(in.URL, b.Config.BaseURL)
	if err != nil {
		return "", err
	}
	if list := llms(at, in.Llms); list != nil {
		got, err := f.get(list)
		if err == nil {
			if text, ok := got.listing(); ok {
				return got.from(at) + text, nil
			}
			err = provider.Errorf(provider.KindFailed, "%s is no text for models", f.short(list.String()))
		}
		if in.Llms != nil || provider.AsError(err).Kind == provider.KindTimeout {
			return "", err
		}
	}
	got, err := f.get(at)
	if err != nil {
		return "", err
	}
	text, err := got.readable(in.Whole)
	if err != nil {
		return "", err
	}
	return got.from(at) + text, nil
}

// browserUnder is the browser whose policy holds, which need not run.
func browserUnder(ctx context.Context) (*browser.Browser, error) {
	if s, ok := browser.SessionFrom(ctx); ok {
		return s.Browser, nil
	}
	p, err := pool.PoolOf(ctx)
	if err != nil {
		return nil, err
	}
	return p.Browser, nil
}

// transports carry what is fetched beside a browser, judged by its policy.
var transports = browser.State[*browser.Browser, guardproxy.Transport]{
	New: func(b *browser.Browser) *guardproxy.Transport {
		t := guardproxy.NewTransport(guardproxy.Options{Policy: b.Policy(), Log: b.Log, Upstream: b.Config.Upstream})
		b.OnClose(func(context.Context) { t.CloseIdleConnections() })
		return t
	}}

// Bounds of what is fetched.
const (
	maxRedirects = 10
	longestBody  = read.LongestHTML
)

// fetching is one call.
type fetching struct {
	ctx context.Context
	b   *browser.Browser
}

// policy is what the URL and its redirects must pass.
func (f *fetching) policy() (*policy.Policy, error) {
	if s, ok := browser.SessionFrom(f.ctx); ok {
		return s.Policy(), nil
	}
	p, err := pool.PoolOf(f.ctx)
	if err != nil {
		return nil, err
	}
	own, err := p.PolicyOf(f.ctx)
	return cmp.Or(own, f.b.Policy()), err
}

// short is a text for an error, without the users and passwords of its URLs.
func (f *fetching) short(raw string) string {
	return f.b.Short(reUserInfo.ReplaceAllString(raw, "$1"), 200)
}

// reUserInfo matches what names a user in a URL, however it is written: browsers take
// backslashes, and any number of them.
var reUserInfo = regexp.MustCompile(`([\\/]{2}|:)[^\\/?#\s]*@`)

// whole is a URL as a browser would resolve it. Judged and fetched is the same text: one
// that Go would send otherwise than the policy reads it is refused.
func (f *fetching) whole(raw, base string) (*url.URL, error) {
	if base == "" {
		base = raw
	}
	href := policy.Resolve(raw, base)
	u, err := url.Parse(href)
	if err != nil || u.Opaque != "" || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		e := provider.Errorf(provider.KindArgs, "url: %s is no http or https URL", f.short(raw))
		if !strings.Contains(raw, "://") && strings.Contains(raw, ".") && !strings.ContainsAny(raw, ": ") {
			return nil, e.WithHint("give it whole: https://%s", strings.TrimLeft(f.short(raw), "/"))
		}
		return nil, e
	}
	if u.User != nil {
		return nil, provider.Errorf(provider.KindArgs, "url: users and passwords are not sent").
			WithHint("a log-in needs the browser: nav, then markdown")
	}
	u.Fragment, u.RawFragment = "", ""
	if sent := u.String(); policy.Resolve(sent, sent) != sent {
		return nil, provider.Errorf(provider.KindArgs, "url: %s can be read in two ways", f.short(raw))
	}
	return u, nil
}

// llms is the URL of the site's llms.txt where that comes first, nil elsewhere.
func llms(at *url.URL, asked *bool) *url.URL {
	if asked == nil && (at.Path != "/" || at.RawQuery != "") || asked != nil && !*asked {
		return nil
	}
	return &url.URL{Scheme: at.Scheme, Host: at.Host, Path: "/llms.txt"}
}

// get fetches a URL, through redirects, each of which is judged.
func (f *fetching) get(at *url.URL) (*fetched, error) {
	for range maxRedirects + 1 {
		got, to, err := f.once(at)
		if err != nil || to == nil {
			return got, err
		}
		at = to
	}
	return nil, provider.Errorf(provider.KindFailed, "more than %d redirects, the last to %s", maxRedirects,
		f.short(at.String()))
}

// accepted prefers what needs no conversion.
const accepted = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, " +
	"application/json;q=0.8, */*;q=0.1"

// once sends one request. It answers the destination of a redirect instead, if there is one.
func (f *fetching) once(at *url.URL) (*fetched, *url.URL, error) {
	pol, err := f.policy()
	if err == nil {
		err = pol.Request(at.String())
	}
	if err != nil {
		return nil, nil, f.failed(at, err)
	}
	r := (&http.Request{Method: http.MethodGet, URL: at, Host: at.Host, Header: http.Header{
		"Accept": {accepted}, "User-Agent": {"Mozilla/5.0 (compatible; pwpipe)"}}}).WithContext(f.ctx)
	through := transports.Of(f.b)
	if pol != f.b.Policy() { // of one session
		through = guardproxy.NewTransport(guardproxy.Options{Policy: pol, Log: f.b.Log, Upstream: f.b.Config.Upstream})
		defer through.CloseIdleConnections()
	}
	answer, err := through.RoundTrip(r)
	if err != nil {
		return nil, nil, f.failed(at, err)
	}
	defer answer.Body.Close()
	if to := answer.Header.Get("Location"); to != "" && answer.StatusCode/100 == 3 {
		next, err := f.whole(to, at.String())
		if err != nil {
			return nil, nil, provider.Errorf(provider.KindFailed, "%s redirects to %s, which read does not follow",
				f.short(at.String()), f.short(to))
		}
		return nil, next, nil
	}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNonAuthoritativeInfo {
		said := fmt.Sprint(answer.StatusCode, " ", http.StatusText(answer.StatusCode)) // not the server's words
		return nil, nil, provider.Errorf(provider.KindFailed, "%s answered %s", f.short(at.String()),
			strings.TrimSpace(said)).WithHint("a browser may get another answer: nav, then markdown")
	}
	body, err := f.body(answer)
	if own := (*provider.Error)(nil); errors.As(err, &own) {
		return nil, nil, own
	}
	if err != nil {
		return nil, nil, f.failed(at, err)
	}
	if len(body) > longestBody {
		return nil, nil, provider.Errorf(provider.KindFailed, "%s has more than %d MiB, the limit of read",
			f.short(at.String()), longestBody>>20).WithHint("download saves files of any size")
	}
	return newFetched(f, at, answer.Header.Get("Content-Type"), body), nil, nil
}

// failed is the error of a request that was refused, or that no server answered.
func (f *fetching) failed(at *url.URL, err error) error {
	var refused *policy.Refusal
	switch {
	case errors.As(err, &refused):
		return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", f.short(at.String()), refused)
	case f.ctx.Err() != nil:
		return provider.Errorf(provider.KindTimeout, "%s has not answered whole", f.short(at.String()))
	}
	said := guard.NetWord(err)
	if said == "" {
		said = f.short(err.Error())
	}
	return provider.Errorf(provider.KindFailed, "%s was not reached: %s", f.short(at.String()), said)
}
