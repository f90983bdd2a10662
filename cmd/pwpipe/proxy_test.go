package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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

// TestProxyHidden: pwpipe config shows no login of a proxy.
func TestProxyHidden(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{"http://ada:lamp@proxy:1": "(set)", "http://proxy:1": "http://proxy:1"} {
		cmd := exec.Command(pipetest.Binary(t), "config")
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "PWPIPE_PROXY_SERVER="+server)
		got, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(got), want) || strings.Contains(string(got), "lamp") {
			t.Errorf("%s: %v, %s", server, err, got)
		}
	}
}

// TestPAC: a PAC script chooses the proxy of each host, in a whole Chromium.
func TestPAC(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPACRefused is quick")
	t.Parallel()
	whole, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no whole Chromium here")
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>%s by proxy</title>", r.URL.Host)
	}))
	t.Cleanup(proxy.Close)
	var script string
	direct := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/proxy.pac" {
			_, _ = fmt.Fprint(w, script)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<title>direct</title>")
	}))
	t.Cleanup(direct.Close)
	script = fmt.Sprintf(`function FindProxyForURL(url, host) { return host == "shop.test" ? "PROXY %s" : "DIRECT"; }`,
		strings.TrimPrefix(proxy.URL, "http://"))
	file := filepath.Join(t.TempDir(), "proxy.pac")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pac := range []string{file, direct.URL + "/proxy.pac"} {
		p := pipetest.StartCmd(t, exec.Command(pipetest.Binary(t), "--browser", whole, "--proxy-pac", pac))
		for url, want := range map[string]string{"http://shop.test/": "shop.test by proxy", direct.URL + "/": "direct"} {
			p.Call("nav", pipetest.List(url))
			if got := p.Text("title", nil); got != want {
				t.Errorf("%s, %s: title %q, want %q", pac, url, got, want)
			}
		}
	}
}

// TestPACRefused: where a PAC script can't be, it is refused with the reason.
func TestPACRefused(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"name a whole one with --browser": {"--browser", "chromium"},
		"can't be enforced":               {"--browser", "chrome", "--allowed-domains", "a.test"},
		"give one of":                     {"--browser", "chrome", "--proxy-server", "http://a.test"},
		"leave it out with --cdp":         {"--cdp", "9222"},
		"no such file":                    {"--browser", "chrome"},
	} {
		_, got, status := pipetest.Run(t, "", append(args, "--proxy-pac", "none.pac")...)
		if status == 0 || !strings.Contains(got, want) {
			t.Errorf("%v: status %d, %s, want %s", args, status, got, want)
		}
	}
}
