//go:build evidence

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerProxy: the login that a configuration file has for its proxy goes to that proxy, and
// no answer has it.
func TestPeerProxy(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestProxyServer of handlers/guard is quick")
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic YWRhOmxhbXA=" { // ada:lamp
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>%s by proxy</title>", r.URL.Host)
	}))
	t.Cleanup(proxy.Close)
	for _, options := range []string{"launchOptions", "contextOptions"} {
		for password, want := range map[string]string{"lamp": "Page Title: shop.test by proxy",
			"lamb": "net::ERR_PROXY_CONNECTION_FAILED"} {
			file := proxyFile(t, options, proxy.URL, `"`+password+`"`)
			s, _ := startPeer(t, nil, "--headless", "--config", file)
			got, _ := callTool(t, s, "browser_navigate", map[string]any{"url": "http://shop.test/"})
			if !strings.Contains(got, want) || strings.Contains(got, password) {
				t.Errorf("%s, %s: got %s, want %s", options, password, got, want)
			}
		}
	}
	_, got, status := pipetest.Run(t, "", "mcp", "--config", proxyFile(t, "launchOptions", proxy.URL, "3"))
	if status == 0 || !strings.Contains(got, "browser.launchOptions.proxy.password: expected a text") {
		t.Errorf("status %d, %s", status, got)
	}
}

// proxyFile is a configuration file of Playwright MCP with a proxy.
func proxyFile(t *testing.T, options, server, password string) string {
	file := filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"browser": {%q: {"proxy": {"server": %q, "username": "ada", "password": %s}}}}`,
		options, server, password)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
