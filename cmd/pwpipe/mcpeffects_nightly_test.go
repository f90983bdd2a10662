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
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// effectsSite serves pages over HTTP. One is slow.
func effectsSite(t *testing.T) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/slow":
			time.Sleep(2 * time.Second)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			return
		}
		_, _ = fmt.Fprint(w, `<title>Lamp</title><button style="visibility:hidden">Hidden</button><p>text</p>`)
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// TestPeerFlagEffects: each call is answered otherwise where the flags are given.
func TestPeerFlagEffects(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerFlags is quick")
	t.Parallel()
	site, dir := effectsSite(t), t.TempDir()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<title>Secure</title>")
	}))
	t.Cleanup(secure.Close)
	state, script, local := filepath.Join(dir, "state.json"), filepath.Join(dir, "script.js"), filepath.Join(dir, "local.txt")
	for file, text := range map[string]string{
		local:  "a file that steers nothing",
		script: "window.early = 'set early'",
		state:  `{"cookies": [{"name": "kept", "value": "wick", "url": "` + site + `"}], "origins": []}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	with, _ := startPeer(t, nil, "--headless", "--user-agent=Lantern/1", "--ignore-https-errors", "--block-service-workers",
		"--file-paths=absolute", "--image-responses=omit", "--grant-permissions=geolocation,notifications",
		"--init-script", script, "--storage-state", state, "--timeout-action=400", "--timeout-navigation=900",
		"--console-level=error", "--snapshot-mode=none", "--codegen=none", "--output-dir", out,
		"--allow-unrestricted-file-access", "--executable-path", pipetest.Installed(t).Executable)
	without, _ := startPeer(t, nil, "--headless", "--timeout-action=700", "--mobile")
	js := func(code string) map[string]any { return map[string]any{"function": "() => " + code} }
	shot, at := map[string]any{}, map[string]any{"url": site}
	for _, c := range []struct {
		tool          string
		args          map[string]any
		with, without string // "!" before what is not said
	}{
		{"browser_navigate", map[string]any{"url": secure.URL}, "Page Title: Secure", "net::ERR_CERT_AUTHORITY_INVALID"},
		{"browser_navigate", map[string]any{"url": "file://" + local}, "Page URL: file:", "!Page URL: file:"},
		{"browser_navigate", at, "!### Snapshot", "### Snapshot"},
		{"browser_navigate", at, "!### Ran Playwright code", "### Ran Playwright code"},
		{"browser_evaluate", js("navigator.userAgent"), "Lantern/1", "Android"},
		{"browser_evaluate", js("'wide ' + screen.width"), "wide 1280", "wide 360"},
		{"browser_evaluate", js("'is ' + window.early"), "is set early", "is undefined"},
		{"browser_evaluate", js("document.cookie"), "kept=wick", "!kept"},
		{"browser_evaluate", js("navigator.permissions.query({name: 'geolocation'}).then((p) => p.state)"), "granted", "!granted"},
		{"browser_evaluate", js("navigator.serviceWorker.register('/worker.js').then((r) => r ? 'works' : 'blocked')"),
			"blocked", "works"},
		{"browser_evaluate", js("{ console.warn('a warning') }"), "!console entries", "console entries"},
		{"browser_click", map[string]any{"target": "button"}, "Timeout 400ms exceeded", "Timeout 700ms exceeded"},
		{"browser_take_screenshot", shot, "!image/png", "image/png"},
		{"browser_take_screenshot", shot, out + "/page-", "(.playwright-mcp/page-"},
		{"browser_navigate", map[string]any{"url": site + "/slow"}, "Timeout 900ms exceeded", "Page Title: Lamp"},
	} {
		for given, s := range map[string]*mcp.ClientSession{c.with: with, c.without: without} {
			want, isAbsent := strings.CutPrefix(given, "!")
			if got := allOf(t, s, c.tool, c.args); strings.Contains(got, want) == isAbsent {
				t.Errorf("%s %v: want %q, got %s", c.tool, c.args, given, got)
			}
		}
	}
}

// TestPeerProxyBypass: hosts of --proxy-bypass are reached without the proxy.
func TestPeerProxyBypass(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestProxyServer of handlers/guard is quick")
	t.Parallel()
	site := effectsSite(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<title>by proxy</title>")
	}))
	t.Cleanup(proxy.Close)
	for bypass, want := range map[string]string{"": "Page Title: by proxy", "--proxy-bypass=127.0.0.1": "Page Title: Lamp"} {
		args := []string{"--headless", "--proxy-server", proxy.URL}
		if bypass != "" {
			args = append(args, bypass)
		}
		s, _ := startPeer(t, nil, args...)
		if got := allOf(t, s, "browser_navigate", map[string]any{"url": site}); !strings.Contains(got, want) {
			t.Errorf("%s: got %s", bypass, got)
		}
	}
}

// TestPeerImages: --image-responses=only answers pictures alone.
func TestPeerImages(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	s, _ := startPeer(t, nil, "--headless", "--image-responses=only")
	if got := allOf(t, s, "browser_take_screenshot", map[string]any{}); got != "image/png" {
		t.Errorf("got %s", got)
	}
}

// TestPeerContextOptions: options of contexts in the file that no flag has, and other members.
func TestPeerContextOptions(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerFlags is quick")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	text := `{"filePaths": "absolute", "timeouts": {"idle": 5}, "browser": {"contextOptions": {"contrast": "more",
		"forcedColors": "active", "serviceWorkers": "block", "screen": {"width": 1500, "height": 900}}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, dir := startPeer(t, nil, "--headless", "--config", file)
	got := allOf(t, s, "browser_navigate", map[string]any{"url": effectsSite(t)})
	pipetest.Has(t, got, "- [Snapshot]("+dir)
	got = allOf(t, s, "browser_evaluate", map[string]any{"function": `async () => [
		matchMedia('(prefers-contrast: more)').matches, matchMedia('(forced-colors: active)').matches, screen.width,
		await navigator.serviceWorker.register('/worker.js').then((r) => r ? 'works' : 'blocked')].join()`})
	pipetest.Has(t, got, "true,true,1500,blocked")
	if got := peerSays(t, "--config="+file); got != "pwpipe mcp: idle-timeout of the file: the browser runs until the client disconnects\n" {
		t.Errorf("it says %s", got)
	}
}
