package service_test

import (
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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

// Event streams whose clients never begin are bounded. A client that has begun takes no place of
// theirs.
func TestStreamsWithoutSession(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	s := pipetest.StartService(t)
	open := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/sse", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", s.Key)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Body.Close() })
		return a.StatusCode
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "older", Version: "1"}, nil).Connect(t.Context(),
		&mcp.SSEClientTransport{Endpoint: s.URL + "/sse", HTTPClient: &http.Client{Transport: keyed(s.Key)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	statuses := map[int]int{}
	for range 40 {
		statuses[open()]++
	}
	if statuses[http.StatusOK] != 32 || statuses[http.StatusTooManyRequests] != 8 {
		t.Errorf("40 streams: %v", statuses)
	}
	if list, err := client.ListTools(t.Context(), nil); err != nil || len(list.Tools) == 0 {
		t.Errorf("the client that had begun: %v", err)
	}
}

// keyed adds the key to requests.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Api-Key", string(k))
	return http.DefaultTransport.RoundTrip(r)
}
