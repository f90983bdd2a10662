package program

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
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

// address is where to listen, and whether that is loopback.
func (o *serveOptions) address() (addr string, loopback bool, err error) {
	addr = o.addr
	if addr == "" {
		port := os.Getenv("PORT")
		if port == "" {
			port = "3337"
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false, fmt.Errorf("PORT: expected a port from 0 to 65535, got %q", port)
		}
		addr = ":" + port
	}
	if _, err := strconv.ParseUint(addr, 10, 16); err == nil {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", false, fmt.Errorf("--addr: expected host:port or :port, got %q", o.addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", false, fmt.Errorf("--addr: expected a port from 0 to 65535, got %q", port)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	return net.JoinHostPort(host, port), ip != nil && ip.IsLoopback(), nil
}
