// Package policy decides where a browser may go. It knows only URLs, hosts and
// addresses: no browser, no sockets.
//
// Callers that know a URL use Navigate, At or Request. Callers that know only a host
// and a port, as a proxy does, use Connect, and Addr once the name is resolved.
//
// A URL is judged by what a browser would contact, so it is parsed by the rules of the
// WHATWG URL standard: white space and tabs are dropped, a backslash is a slash, user
// info is no host, hosts are lower case and punycode, and every way of writing an IPv4
// address is the same address.
package policy

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// Options are the rules; all of them must allow a URL. Blocked takes precedence over
// Allowed.
type Options struct {
	// Allowed are the hosts that may be reached, each with its subdomains. nil allows
	// every host; an empty list allows none.
	Allowed      []string
	Blocked      []string // hosts that may not be reached, each with its subdomains
	BlockPrivate bool     // refuse loopback, private, link-local and metadata addresses
	AllowFile    bool     // file: and the browser's own pages too; never with Allowed
	// Pattern must match URLs in the normal form of the URL standard: scheme and host
	// in lower case, no default port, at least a slash after the host, without user
	// info and fragment. nil for none.
	Pattern *regexp.Regexp
}

// Policy is a checked set of rules. Make one with [New].
type Policy struct {
	allowed, blocked []string
	listed           bool
	blockedAddrs     []netip.Addr
	blockPrivate     bool
	allowFile        bool
	pattern          *pattern // nil for none
	hostsDecide      bool     // host and port decide about what the pattern allows
}

// Refusal is why the policy refuses something.
type Refusal struct {
	What   string // the URL, host or address
	Reason string // a clause: "evil.com is not an allowed domain"
}

func (r *Refusal) Error() string { return r.Reason }

// New checks the options. Its error names the invalid entry.
func New(o Options) (*Policy, error) {
	p := &Policy{listed: o.Allowed != nil, blockPrivate: o.BlockPrivate, allowFile: o.AllowFile}
	if p.listed && o.AllowFile {
		return nil, fmt.Errorf("allow-file can't be combined with a list of allowed domains, which allows http and https only")
	}
	var err error
	if p.pattern, err = newPattern(o.Pattern); err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	p.hostsDecide = p.pattern.byHost()
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

// Guards reports whether URLs, hosts or addresses are restricted at all, so that the
// browser needs a proxy that enforces it.
func (p *Policy) Guards() bool {
	return p.Lists() || p.pattern != nil
}

// Lists reports whether there are restrictions besides the pattern: then names must be
// resolved where addresses can be judged.
func (p *Policy) Lists() bool { return p.listed || len(p.blocked) > 0 || p.blockPrivate }

// JudgesAddresses reports whether names must be resolved to be judged: a proxy that resolves
// them by itself can't be used then.
func (p *Policy) JudgesAddresses() bool { return p.blockPrivate || len(p.blockedAddrs) > 0 }

// HostsDecide reports whether a proxy can enforce everything, though it sees only host
// and port of https.
func (p *Policy) HostsDecide() bool { return p.hostsDecide }

// Connect judges a connection with a known scheme (http or https, WebSockets included),
// host and port. Reach is how many of the URLs there are allowed; an error says why it
// is Nothing.
func (p *Policy) Connect(scheme, host, port string) (Reach, error) {
	if err := p.Host(host); err != nil || p.pattern == nil {
		return Everything, err
	}
	u, err := url.Parse(scheme + "://" + net.JoinHostPort(strings.Trim(host, "[]"), port) + "/")
	if err != nil {
		return Nothing, &Refusal{host, "not a host and a port"}
	}
	reach := p.pattern.after(scheme + rest(u))
	if reach == Nothing && p.pattern.after(strings.Replace(scheme, "http", "ws", 1)+rest(u)) != Nothing {
		reach = Something
	}
	if reach == Nothing {
		return Nothing, p.pattern.refusal(u.Href(false))
	}
	return reach, nil
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

// The schemes to which a page may go, beside http, https and about:blank. All others are refused,
// with a policy or without: javascript: would run code in whatever document the page shows.
var (
	// inert are schemes of documents that come from no server and show their own text.
	inert = []string{"data", "blob"}
	// own are schemes of the browser's own pages and of local files.
	own = []string{"file", "about", "chrome", "chrome-untrusted", "chrome-extension", "chrome-search", "devtools",
		"edge", "view-source", "filesystem", "isolated-app", "resource", "moz-extension", "jar"}
)

// crash ends the renderer of the page that loads it, and shows nothing. Clients may end it by
// Page.crash anyway.
const crash = "chrome://crash"

// Navigate judges the URL of a navigation. An invalid URL is refused if anything is
// restricted, or if it begins with a scheme that is not a site's; otherwise the browser handles it.
func (p *Policy) Navigate(raw, base string) error {
	u, err := parse(raw, base)
	if err == nil {
		return p.judge(u)
	}
	if scheme := schemeOf(raw); p.Guards() || scheme != "" && scheme != "http" && scheme != "https" {
		return &Refusal{raw, "it is not a URL that can be judged; give it whole (https://…)"}
	}
	return nil
}

var (
	reScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	ignored  = strings.NewReplacer("\t", "", "\n", "", "\r", "")
)

// schemeOf returns the scheme that a browser may read in a text that is not a valid URL, "" for none.
func schemeOf(raw string) string {
	raw = strings.TrimLeftFunc(ignored.Replace(raw), func(r rune) bool { return r <= ' ' })
	return strings.ToLower(strings.TrimSuffix(reScheme.FindString(raw), ":"))
}

// At judges the current URL of a page or a frame: like [Policy.Navigate], but it allows
// the browser's own error page.
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
		return p.reached(u)
	case p.listed:
		return &Refusal{u.Href(false), fmt.Sprintf("%s: is not allowed; with a list of allowed domains only http:, https: and about:blank are", scheme)}
	case strings.TrimSuffix(u.Href(false), "/") == crash:
		return nil
	case (slices.Contains(own, scheme) || scheme == "blob" && slices.Contains(own, whose(u))) && !p.allowFile:
		return &Refusal{u.Href(false), fmt.Sprintf("%s: URLs are refused: they show local files or the browser itself; --allow-file permits them", scheme)}
	}
	if !slices.Contains(inert, scheme) && !slices.Contains(own, scheme) {
		return &Refusal{u.Href(false),
			scheme + ": is not a scheme that pages go to; http:, https:, data:, blob: and about:blank are"}
	}
	return p.pattern.judge(u)
}

// whose is the scheme of the page that made a blob: URL, which has that page's origin;
// "null" and others if that is unknown.
func whose(u *url.Url) string {
	scheme, _, _ := strings.Cut(u.Pathname(), ":")
	return strings.ToLower(scheme)
}

func (p *Policy) reached(u *url.Url) error {
	if err := p.Host(u.Hostname()); err != nil {
		return err
	}
	return p.pattern.judge(u)
}

// isBlank recognises about:blank, with or without a fragment or a query.
func isBlank(u *url.Url) bool { return u.Scheme() == "about" && u.Pathname() == "blank" }

// Request judges the URL of a page's request: like Navigate, but URLs without a host,
// such as data:, reach nothing and pass.
func (p *Policy) Request(raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return &Refusal{raw, "not a URL that can be judged"}
	}
	switch strings.ToLower(u.Scheme()) {
	case "http", "https", "ws", "wss", "ftp":
		return p.reached(u)
	case "file":
		if !p.allowFile {
			return &Refusal{raw, "file: URLs are refused"}
		}
	}
	return nil
}
