package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/internal/text/routedid"
)

// placeOptions are the flags that say where a service stands among others, behind a
// balancer.
type placeOptions struct {
	name    string
	public  string
	proxies string
}

func (o *placeOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.name, "name", "", "name of this service among several; its sessions' ids contain it, so that a balancer can route them")
	f.StringVar(&o.public, "public-url", "", "address at which clients reach the service, such as https://browsers.example.com; session.cdp answers addresses there")
	f.StringVar(&o.proxies, "trusted-proxies", "", "addresses or networks of balancers, with commas; their X-Forwarded-For names the client")
}

// place is what they ask for.
type place struct {
	name    string
	public  string // ws:// or wss://, "" for where the service listens
	proxies []netip.Prefix
}

func (o *placeOptions) read() (p place, err error) {
	p.name = o.name
	if err := routedid.Check(p.name); err != nil {
		return p, fmt.Errorf("--name: %w", err)
	}
	if o.public != "" {
		u, err := url.Parse(o.public)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return p, fmt.Errorf("--public-url: expected http://host or https://host, got %q", o.public)
		}
		p.public = "ws" + strings.TrimSuffix(strings.TrimPrefix(u.String(), "http"), "/")
	}
	for _, text := range strings.Split(o.proxies, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if at, bad := netip.ParseAddr(text); bad == nil {
			network, err = at.Prefix(at.BitLen())
		}
		if err != nil {
			return p, fmt.Errorf("--trusted-proxies: expected an address or a network such as 10.0.0.0/8, got %q", text)
		}
		p.proxies = append(p.proxies, network.Masked())
	}
	return p, nil
}

// base is where clients connect to sessions.
func (p place) base(l net.Listener) string {
	if p.public != "" {
		return p.public
	}
	return "ws://" + l.Addr().String()
}
