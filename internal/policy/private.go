package policy

import "net/netip"

// notPublic are the ranges without public hosts, beyond those that [netip.Addr] knows:
// IANA's special-purpose registries.
var notPublic = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32",
	"fec0::/10", "5f00::/16", "3fff::/20")

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
	for _, p := range notPublic {
		if p.Contains(a) {
			return true
		}
	}
	if v4, ok := carried(a); ok {
		return IsPrivate(v4)
	}
	return false
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
