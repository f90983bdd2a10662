package policy

import (
	"net/netip"
	gourl "net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
)

func FuzzHost(f *testing.F) {
	p, _ := New(Options{Allowed: []string{"a.com"}})
	f.Add("a.com")
	f.Add("a.com:80@x")
	f.Fuzz(func(t *testing.T, s string) {
		if p.Host(s) == nil {
			h := strings.ToLower(s)
			if c, err := Canonical(s); err != nil || c != "a.com" && !strings.HasSuffix(c, ".a.com") {
				t.Errorf("%q passed as %q", h, c)
			}
		}
	})
}

// FuzzURL: an allowed URL has an allowed host, for the URL standard's parser
// and for Go's. In its normalised form it is allowed again and means the same,
// and requests for it are allowed too.
func FuzzURL(f *testing.F) {
	re := regexp.MustCompile(seed)
	listed, _ := New(Options{Allowed: []string{"localhost", "127.0.0.1"}})
	patterned, _ := New(Options{Pattern: re})
	hosts := []string{"localhost", "127.0.0.1"}
	f.Add("http://localhost:8080", "")
	f.Fuzz(func(t *testing.T, raw, base string) {
		for _, p := range []*Policy{listed, patterned} {
			u, err := parse(raw, base)
			if p.Navigate(raw, base) != nil || err != nil || isBlank(u) {
				continue
			}
			href := u.Href(false)
			if again, err := url.Parse(href); err != nil || again.Href(false) != href || p.Navigate(href, "") != nil || p.At(href) != nil {
				t.Errorf("%q is allowed, and %q is not, or another: %v", raw, href, err)
			}
			if u.Scheme() == "blob" {
				continue
			}
			host := strings.TrimSuffix(u.Hostname(), ".")
			if a, ok := address(host); ok && p == listed {
				host = a.String() // as a list compares it
			}
			if p.Request(href) != nil || !slices.Contains(hosts, host) && !strings.HasSuffix(host, ".localhost") {
				t.Errorf("%q is allowed, with the host %q", raw, host)
			}
			if p == patterned && (!re.MatchString(href) && u.Username()+u.Password() == "" && u.Scheme()[0] == 'h' || !slices.Contains(hosts, host)) {
				t.Errorf("%q is allowed, which is %q", raw, href)
			}
			for _, text := range []string{raw, href} {
				if g, err := gourl.Parse(text); err == nil && g.Host != "" && base == "" && p.Host(g.Hostname()) != nil {
					t.Errorf("%q is allowed, and Go goes to %q", text, g.Host)
				}
			}
		}
	})
}

// FuzzPattern: a result for a prefix holds for any continuation.
func FuzzPattern(f *testing.F) {
	f.Add(seed, "http://localhost/", "x")
	f.Fuzz(func(t *testing.T, re, prefix, rest string) {
		compiled, err := regexp.Compile(re)
		if err != nil || len(re) > 60 || !utf8.ValidString(prefix) || strings.Contains(prefix+rest, "\n") {
			return
		}
		p, err := newPattern(compiled)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			if !compiled.MatchString(prefix) || !compiled.MatchString(prefix+rest) {
				t.Errorf("%q was taken to match everything, and %q or %q it does not", re, prefix, prefix+rest)
			}
			return
		}
		switch reach := p.after(prefix); {
		case reach == Everything && !compiled.MatchString(prefix+rest):
			t.Errorf("%q: all that begins with %q match, but %q", re, prefix, prefix+rest)
		case reach == Nothing && compiled.MatchString(prefix+rest):
			t.Errorf("%q: nothing that begins with %q matches, but %q", re, prefix, prefix+rest)
		}
		if len(prefix) > 200 || strings.Count(re, "{") > 1 || !p.byHost() {
			return
		}
		if host, _, _ := strings.Cut(prefix, "/"); strings.Trim(host, inHosts) == "" {
			if r := p.after("https://" + host + "/"); r == Something {
				t.Errorf("%q is decided by the host, but not for %q", re, host)
			}
		}
	})
}

// FuzzAddr: every spelling of an address gets the same result.
func FuzzAddr(f *testing.F) {
	p, _ := New(Options{BlockPrivate: true})
	f.Add("127.0.0.1")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := netip.ParseAddr(s)
		if err != nil || a.Zone() != "" {
			return
		}
		for _, way := range []string{a.String(), a.StringExpanded(), "[" + a.Unmap().String() + "]"} {
			if strings.HasPrefix(way, "[") && a.Unmap().Is4() {
				continue
			}
			if (p.Host(way) != nil) != IsPrivate(a) {
				t.Errorf("%s, written %s: private %v", a, way, IsPrivate(a))
			}
		}
	})
}
