package service

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// behind uses a balancer's X-Forwarded-For as the client's address: for the rate limit,
// for turns and in the log. It ignores the header of anybody else, which may be forged.
func (d Door) behind(next http.Handler) http.Handler {
	if len(d.Proxies) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && d.proxy(at.Addr()) {
			if from, ok := d.forwarded(r.Header.Values("X-Forwarded-For")); ok {
				r.RemoteAddr = net.JoinHostPort(from.String(), "0")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// forwarded is the last address that is not a balancer's. Addresses before it may be
// forged.
func (d Door) forwarded(headers []string) (from netip.Addr, ok bool) {
	list := strings.Split(strings.Join(headers, ","), ",")
	for i := len(list) - 1; i >= 0; i-- {
		at, err := forwardedBy(strings.TrimSpace(list[i]))
		if err != nil {
			break
		}
		if from, ok = at.Unmap().WithZone(""), true; !d.proxy(from) {
			break
		}
	}
	return from, ok
}

// forwardedBy parses an address of the header. Some balancers add a port, and brackets
// around IPv6.
func forwardedBy(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), nil
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); ok && strings.Contains(inner, ":") {
			text = inner
		}
	}
	return netip.ParseAddr(text)
}

func (d Door) proxy(at netip.Addr) bool {
	at = at.Unmap().WithZone("")
	return slices.ContainsFunc(d.Proxies, func(p netip.Prefix) bool { return p.Contains(at) })
}
