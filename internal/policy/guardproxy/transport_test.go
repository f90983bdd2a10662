package guardproxy

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/policy"
)

// TestTransportRebinding: the address that was judged is the one that is connected to, also for
// requests that pwpipe sends by itself.
func TestTransportRebinding(t *testing.T) {
	good, _ := counted(t, "127.0.0.1")
	_, hits := counted(t, "127.0.0.2")
	pol, err := policy.New(policy.Options{Blocked: []string{"127.0.0.2"}})
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	tr := NewTransport(Options{Policy: pol, Log: discard, Resolve: func(context.Context, string) ([]netip.Addr, error) {
		if asked.Add(1) == 1 {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
	}})
	for i, want := range []string{"", "stands for an address that may not be reached"} {
		r, _ := http.NewRequest(http.MethodGet, "http://rebind.example:"+good+"/", nil)
		answer, err := tr.RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("request %d: %v", i+1, err)
		}
		tr.CloseIdleConnections()
	}
	if asked.Load() != 2 || hits.Load() != 0 {
		t.Errorf("%d look-ups, %d connections to the refused address", asked.Load(), hits.Load())
	}
}
