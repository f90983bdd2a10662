package service

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
)

// TestBehindBalancers: only our balancers' headers determine a client's address.
func TestBehindBalancers(t *testing.T) {
	d := Door{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	var got string
	h := d.behind(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = remoteIP(r) }))
	table, err := os.ReadFile("testdata/forwarded.txt") // who is connected => whose address counts, and the headers
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		peer, want, _ := strings.Cut(parts[0], " => ")
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		for _, v := range parts[1:] {
			r.Header.Add("X-Forwarded-For", v)
		}
		if h.ServeHTTP(httptest.NewRecorder(), r); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}
