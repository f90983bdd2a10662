package service_test

import (
	"net/http"
	"testing"

	"pwpipe/internal/pipetest"
)

// A page of another site is refused on every route, also where a browser sends no Origin: an <img>,
// a link, a form.
func TestForeignPagesWithoutOrigin(t *testing.T) {
	t.Parallel()
	s := pipetest.SharedService(t)
	for _, path := range []string{"/sse", "/mcp", "/ws", "/openrpc.json", "/metrics", "/json/version", "/cdp/s_1", "/"} {
		for _, site := range []string{"cross-site", "same-site", "CROSS-SITE", "none, cross-site"} {
			if status, body, _ := s.Do("GET", path, "", "Sec-Fetch-Site: "+site, "Sec-Fetch-Mode: no-cors"); status != http.StatusForbidden {
				t.Errorf("GET %s, %s: %d %.100s", path, site, status, body)
			}
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body, _ := s.Do("GET", path, "", "Sec-Fetch-Site: cross-site"); status == http.StatusForbidden {
			t.Errorf("GET %s: %d %s", path, status, body)
		}
	}
	for _, site := range []string{"none", "same-origin"} {
		if status, body, _ := s.Do("GET", "/openrpc.json", "", "Sec-Fetch-Site: "+site); status != http.StatusOK {
			t.Errorf("GET /openrpc.json, %s: %d %.100s", site, status, body)
		}
	}
}
