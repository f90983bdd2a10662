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
