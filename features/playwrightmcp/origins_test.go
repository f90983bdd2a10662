package playwrightmcp

import (
	"testing"

	"pwpipe/internal/policy"
)

// TestOriginsHaveSchemesAndPorts: a list of origins allows their schemes and ports, with WebSockets. Where one is only
// a host, hosts alone decide.
func TestOriginsHaveSchemesAndPorts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		origins       []string
		allow, refuse []string
	}{
		{[]string{"http://localhost:*"}, []string{"http://localhost/a", "http://localhost:8080/", "ws://localhost:1/x"},
			[]string{"https://localhost:8080/", "wss://localhost/", "http://example.com/"}},
		{[]string{"https://shop.example", "http://Api.example:3000"},
			[]string{"https://shop.example/a?b", "https://eu.shop.example/", "https://shop.example:443/", "wss://shop.example/feed", "http://api.example:3000/", "http://v2.api.example:3000/"},
			[]string{"http://shop.example/", "https://shop.example:8443/", "https://api.example:3000/", "http://api.example/", "https://notshop.example/", "https://shop.example.evil.example/"}},
		{[]string{"https://bücher.example", "http://[::1]:9000"}, []string{"https://xn--bcher-kva.example/", "http://[::1]:9000/"},
			[]string{"http://xn--bcher-kva.example/", "http://[::1]:9001/", "https://[::1]:9000/"}},
		{[]string{"https://shop.example", "api.example:3000"}, []string{"http://shop.example/", "https://api.example/"}, []string{"https://other.example/"}},
	} {
		var s mcpServer
		for _, f := range peerFlags {
			if f.name == "allowed-origins" {
				if err := f.set(&s, c.origins); err != nil {
					t.Fatal(err)
				}
			}
		}
		p, err := policy.New(policy.Options{Allowed: s.Guard.Allowed, Pattern: s.Guard.Pattern})
		if err != nil || !p.HostsDecide() {
			t.Fatalf("%v: %v, or a proxy can't decide by host and port", c.origins, err)
		}
		for _, url := range c.allow {
			if err := p.Request(url); err != nil {
				t.Errorf("%v: %s: %v", c.origins, url, err)
			}
		}
		for _, url := range c.refuse {
			if p.Request(url) == nil {
				t.Errorf("%v: %s is allowed", c.origins, url)
			}
		}
	}
}
