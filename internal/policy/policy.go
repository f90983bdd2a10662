// Package policy decides where a browser may go. It knows URLs, hosts and
// addresses and nothing else: no browser, no sockets.
//
// A URL is judged by what a browser would contact, so it is parsed by the
// rules of the WHATWG URL standard: white space and tabs fall away, a
// backslash is a slash, user info is no host, hosts are lower case and
// punycode, and every way of writing an IPv4 address is the same address.
package policy

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// Options say what is allowed. Of the two lists, Blocked wins.
type Options struct {
	// Allowed are the hosts that may be reached, each with its subdomains. nil
	// is no list: every host; an empty list allows none.
	Allowed      []string
	Blocked      []string // hosts that may not be reached, each with its subdomains
	BlockPrivate bool     // refuse loopback, private, link-local and metadata addresses
	AllowFile    bool     // file: and the browser's own pages; never with Allowed
}

// Policy is what may be reached. Make one with [New].
type Policy struct {
	allowed, blocked []string
	listed           bool
	blockedAddrs     []netip.Addr
	blockPrivate     bool
	allowFile        bool
}

// Refusal is why something may not be reached.
type Refusal struct {
	What   string // the URL, host or address
	Reason string // a clause: "evil.com is not an allowed domain"
}

func (r *Refusal) Error() string { return r.Reason }

// New checks the options. Its error names the entry that is no host.
func New(o Options) (*Policy, error) {
	p := &Policy{listed: o.Allowed != nil, blockPrivate: o.BlockPrivate, allowFile: o.AllowFile}
	if p.listed && o.AllowFile {
		return nil, fmt.Errorf("allow-file can't be had with a list of allowed domains, which is for http and https alone")
	}
	var err error
	if p.allowed, err = entries(o.Allowed); err != nil {
		return nil, fmt.Errorf("allowed domains: %w", err)
	}
	if p.blocked, err = entries(o.Blocked); err != nil {
		return nil, fmt.Errorf("blocked domains: %w", err)
	}
	for _, b := range p.blocked {
		if a, ok := address(b); ok {
			p.blockedAddrs = append(p.blockedAddrs, a)
		}
	}
	return p, nil
}

// Split parts a comma-separated list; "" is an empty list, not none.
func Split(list string) []string {
	out := []string{}
	for _, e := range strings.Split(list, ",") {
		if e = strings.TrimSpace(e); e != "" {
			out = append(out, e)
		}
	}
	return out
}

// entries brings a list into the form that hosts are compared in.
func entries(list []string) ([]string, error) {
	var out []string
	for _, e := range list {
		if strings.HasPrefix(e, "*.") || strings.HasPrefix(e, ".") {
			return nil, fmt.Errorf("%q: write %q, which covers its subdomains", e, strings.TrimLeft(e, "*."))
		}
		host, err := canonical(e)
		if err != nil {
			return nil, fmt.Errorf("%q is not a host; give names such as example.com, without scheme, port or path", e)
		}
		out = append(out, host)
	}
	return out, nil
}

// Canonical is a bare host as a browser would contact it: lower case, punycode,
// addresses in their usual form (IPv6 in brackets), no dot at the end.
func Canonical(host string) (string, error) { return canonical(host) }

func canonical(host string) (string, error) {
	if strings.ContainsAny(host, "/\\?#@ \t\r\n*") || host == "" {
		return "", fmt.Errorf("%q is not a host", host)
	}
	if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	u, err := url.Parse("http://" + host + "/")
	if err != nil || u.Hostname() == "" || u.Port() != "" || strings.Contains(strings.TrimPrefix(host, "["), "]:") || !strings.HasPrefix(host, "[") && strings.Contains(host, ":") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return trimDot(u.Hostname()), nil
}

// trimDot takes away the dot of a fully qualified name: it is the same host.
func trimDot(host string) string { return strings.TrimSuffix(host, ".") }

// address reads a host that is an IP address, in brackets or not.
func address(host string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

// Guards reports whether hosts or addresses are restricted at all, so that the
// browser needs a proxy that enforces it.
func (p *Policy) Guards() bool { return p.listed || len(p.blocked) > 0 || p.blockPrivate }

// Listed reports whether there is a list of allowed domains.
func (p *Policy) Listed() bool { return p.listed }

// Host judges the host of a connection: a name or an address.
func (p *Policy) Host(host string) error {
	h, err := canonical(host)
	if err != nil {
		return &Refusal{host, err.Error()}
	}
	if addr, ok := address(h); ok {
		if err := p.Addr(addr); err != nil {
			return err
		}
	}
	switch {
	case matches(h, p.blocked):
		return &Refusal{h, h + " is a blocked domain"}
	case p.listed && len(p.allowed) == 0:
		return &Refusal{h, h + " is not an allowed domain (the list is empty, so nothing is)"}
	case p.listed && !matches(h, p.allowed):
		return &Refusal{h, fmt.Sprintf("%s is not an allowed domain (allowed: %s)", h, strings.Join(p.allowed, ", "))}
	}
	return nil
}

// matches reports whether host is an entry of the list or a subdomain of one.
// An address has no subdomains.
func matches(host string, list []string) bool {
	return slices.ContainsFunc(list, func(e string) bool {
		if _, ok := address(e); ok {
			return same(host, e)
		}
		return host == e || strings.HasSuffix(host, "."+e)
	})
}

func same(a, b string) bool {
	x, okx := address(a)
	y, oky := address(b)
	return okx && oky && x == y
}

// Addr judges the address that a name stands for.
func (p *Policy) Addr(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	if slices.Contains(p.blockedAddrs, a) {
		return &Refusal{a.String(), a.String() + " is a blocked address"}
	}
	if p.blockPrivate && IsPrivate(a) {
		return &Refusal{a.String(), a.String() + " is a private, loopback or metadata address, which --block-private refuses"}
	}
	return nil
}

// parse reads a URL as a browser would, relative to base ("" for none).
func parse(raw, base string) (*url.Url, error) {
	if base != "" {
		return url.ParseRef(base, raw)
	}
	return url.Parse(raw)
}

// Resolve is a URL relative to base, as a browser would resolve it.
func Resolve(raw, base string) string {
	u, err := parse(raw, base)
	if err != nil || base == "" {
		return raw
	}
	return u.Href(false)
}

// own are the schemes of the browser's own pages and of local files.
var own = []string{"file", "about", "chrome", "chrome-untrusted", "chrome-extension", "chrome-search", "devtools",
	"edge", "view-source", "filesystem", "isolated-app", "resource", "moz-extension", "jar"}

// Navigate judges a URL that the browser is asked to go to. What is no URL is
// refused where anything is restricted, and else left to the browser.
func (p *Policy) Navigate(raw, base string) error {
	u, err := parse(raw, base)
	if err != nil && p.Guards() {
		return &Refusal{raw, "it is not a URL that can be judged; give it whole (https://…)"}
	}
	if err != nil {
		return nil
	}
	return p.judge(u)
}

// At judges the URL of a page or a frame as it is: like [Policy.Navigate], but
// the browser's own error page is no stray.
func (p *Policy) At(raw string) error {
	if raw == "" || raw == "chrome-error://chromewebdata/" || raw == "about:srcdoc" {
		return nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return &Refusal{raw, "not a URL that can be judged"}
	}
	return p.judge(u)
}

func (p *Policy) judge(u *url.Url) error {
	scheme := strings.ToLower(u.Scheme())
	switch {
	case isBlank(u):
		return nil
	case scheme == "http" || scheme == "https":
		return p.Host(u.Hostname())
	case p.listed:
		return &Refusal{u.Href(false), fmt.Sprintf("%s: is not allowed; with a list of allowed domains only http:, https: and about:blank are", scheme)}
	case (scheme == "ws" || scheme == "wss" || scheme == "ftp") && u.Hostname() != "":
		return p.Host(u.Hostname())
	case slices.Contains(own, scheme) && !p.allowFile:
		return &Refusal{u.Href(false), fmt.Sprintf("%s: URLs are refused: they show local files or the browser itself; --allow-file permits them", scheme)}
	}
	return nil
}

// isBlank tells about:blank, with or without a fragment or a query.
func isBlank(u *url.Url) bool { return u.Scheme() == "about" && u.Pathname() == "blank" }

// Request judges a URL that a page asks for: like Navigate, but URLs without
// a host, such as data:, go nowhere and pass.
func (p *Policy) Request(raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return &Refusal{raw, "not a URL that can be judged"}
	}
	switch strings.ToLower(u.Scheme()) {
	case "http", "https", "ws", "wss", "ftp":
		return p.Host(u.Hostname())
	case "file":
		if !p.allowFile {
			return &Refusal{raw, "file: URLs are refused"}
		}
	}
	return nil
}
