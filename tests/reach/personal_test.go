package reach

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// front stands before a Chromium as Chrome 144 does: it serves nothing but its WebSocket.
type front struct {
	port        string // what Chrome writes into DevToolsActivePort
	path        string // likewise
	connections atomic.Int32
}

func (c *chrome) front() *front {
	c.t.Helper()
	var version struct{ WebSocketDebuggerURL string }
	if err := json.Unmarshal(c.ask("GET", "/json/version"), &version); err != nil {
		c.t.Fatal(err)
	}
	to, err := url.Parse(version.WebSocketDebuggerURL)
	if err != nil {
		c.t.Fatal(err)
	}
	f := &front{path: to.Path}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != to.Path {
			http.NotFound(w, r)
			return
		}
		f.connections.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	c.t.Cleanup(server.Close)
	_, f.port, _ = strings.Cut(server.Listener.Addr().String(), ":")
	return f
}

// named is what --cdp takes of a Chromium that a person uses.
func (f *front) named(t *testing.T) string {
	t.Helper()
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "DevToolsActivePort"), []byte(f.port+"\n"+f.path), 0o600); err != nil {
		t.Fatal(err)
	}
	return "chromium:" + profile
}
