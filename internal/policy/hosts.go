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
		host, err := Canonical(e)
		if err != nil {
			return nil, fmt.Errorf("%q is not a host; give names such as example.com, without scheme, port or path", e)
		}
		out = append(out, host)
	}
	return out, nil
}

// Canonical is a bare host in the form in which a browser contacts it: lower case,
// punycode, addresses in their usual form (IPv6 in brackets), no dot at the end.
func Canonical(host string) (string, error) {
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
	return strings.TrimSuffix(u.Hostname(), "."), nil // a fully qualified name is the same host
}

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
	h, err := Canonical(host)
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
	addr, isAddr := address(host)
	return slices.ContainsFunc(list, func(e string) bool {
		if a, ok := address(e); ok {
			return isAddr && a == addr
		}
		return host == e || strings.HasSuffix(host, "."+e)
	})
}

// Addr judges an address to which a name resolved.
func (p *Policy) Addr(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	inner, _ := carried(a)
	if slices.Contains(p.blockedAddrs, a) || slices.Contains(p.blockedAddrs, inner) {
		return &Refusal{a.String(), a.String() + " is a blocked address"}
	}
	if p.blockPrivate && IsPrivate(a) {
		return &Refusal{a.String(), a.String() + " is a private, loopback or metadata address, which --block-private refuses"}
	}
	return nil
}

// notPublic are the ranges without public hosts, beyond those that [netip.Addr] knows:
// IANA's special-purpose registries, IPv4 addresses that routers translate (RFC 2765),
// and the address at which Azure's machines find their platform.
var notPublic = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32",
	"fec0::/10", "5f00::/16", "3fff::/20", "::ffff:0:0:0/96", "168.63.129.16/32")

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// IsPrivate reports whether an address is not a public host's: loopback,
// private, link-local (where clouds keep their metadata), shared, multicast,
// reserved, or an IPv6 address that carries such an IPv4 address.
func IsPrivate(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || !a.IsValid() {
		return true
	}
	if slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) }) {
		return true
	}
	v4, ok := carried(a)
	return ok && IsPrivate(v4)
}

var (
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
	sixToFor = netip.MustParsePrefix("2002::/16")
	compat   = netip.MustParsePrefix("::/96")
)

// carried is the IPv4 address inside an IPv6 address that is translated to it.
func carried(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() {
		return a, false
	}
	b := a.As16()
	switch {
	case nat64.Contains(a), compat.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFor.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return a, false
}
