package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"pwpipe/internal/policy"
	"pwpipe/internal/text/routedid"
)

// readPlace checks the flags that say where a service stands among others, behind a balancer.
func (o *serveOptions) readPlace() error {
	if err := routedid.Check(o.pool.Name); err != nil {
		return fmt.Errorf("--name: %w", err)
	}
	if o.public != "" {
		u, err := url.Parse(o.public)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
			u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("--public-url: expected http://host or https://host, got %q", o.public)
		}
		o.public = strings.TrimSuffix(u.String(), "/")
	}
	for _, text := range policy.Split(o.proxies) {
		network, err := netip.ParsePrefix(text)
		if at, bad := netip.ParseAddr(text); bad == nil {
			network, err = at.Prefix(at.BitLen())
		}
		if err != nil {
			return fmt.Errorf("--trusted-proxies: expected an address or a network such as 10.0.0.0/8, got %q", text)
		}
		o.door.Proxies = append(o.door.Proxies, network.Masked())
	}
	return nil
}
