package service

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// TestBehindBalancers: only our balancers' headers determine a client's address.
func TestBehindBalancers(t *testing.T) {
	d := Door{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	var got string
	h := d.behind(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = remoteIP(r) }))
	for _, c := range []struct {
		from    string
		headers []string
		want    string
	}{
		{"10.1.1.1:80", []string{"203.0.113.7"}, "203.0.113.7"},
		{"10.1.1.1:80", []string{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"},
		{"10.1.1.1:80", []string{"198.51.100.1", "203.0.113.7, 10.2.2.2"}, "203.0.113.7"},
		{"[::ffff:10.1.1.1]:80", []string{"::ffff:203.0.113.7"}, "203.0.113.7"},
		{"[fd00::1]:80", []string{"2001:db8::1%eth0"}, "2001:db8::1"},
		{"10.1.1.1:80", []string{"10.9.9.9"}, "10.9.9.9"},
		{"10.1.1.1:80", []string{"203.0.113.7, nobody"}, "10.1.1.1"},
		{"10.1.1.1:80", []string{"203.0.113.7:1234"}, "203.0.113.7"},
		{"10.1.1.1:80", []string{"203.0.113.7:1234, 10.2.2.2:80"}, "203.0.113.7"},
		{"10.1.1.1:80", []string{"[2001:db8::1]:1234"}, "2001:db8::1"},
		{"10.1.1.1:80", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"10.1.1.1:80", []string{"203.0.113.7:port"}, "10.1.1.1"},
		{"10.1.1.1:80", []string{"[203.0.113.7]"}, "10.1.1.1"},
		{"10.1.1.1:80", nil, "10.1.1.1"},
		{"192.0.2.1:80", []string{"203.0.113.7"}, "192.0.2.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.from
		for _, v := range c.headers {
			r.Header.Add("X-Forwarded-For", v)
		}
		if h.ServeHTTP(httptest.NewRecorder(), r); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.from, c.headers, got, c.want)
		}
	}
}
