package policy

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// Split splits a comma-separated list; "" gives an empty list, not nil.
func Split(list string) []string {
	out := []string{}
	for _, e := range strings.Split(list, ",") {
		if e = strings.TrimSpace(e); e != "" {
			out = append(out, e)
		}
	}
	return out
}

// entries converts a list to the form in which hosts are compared.
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

// Canonical is a bare host in the form in which a browser contacts it: lower case,
// punycode, addresses in their usual form (IPv6 in brackets), no dot at the end.
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

// trimDot removes the dot of a fully qualified name: it is the same host.
func trimDot(host string) string { return strings.TrimSuffix(host, ".") }

// address reads a host that is an IP address, in brackets or not.
func address(host string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

// HostPort is the host and the port of a URL.
func HostPort(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return "", false
	}
	return net.JoinHostPort(strings.Trim(u.Hostname(), "[]"), strconv.Itoa(u.DecodedPort())), true
}

// Host judges the host of a connection, a name or an address, by the lists.
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

// Addr judges an address to which a name resolved.
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
