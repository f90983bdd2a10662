package reach

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPersonalChrome: --cdp chrome finds the Chrome that a person allows to debug. It
// serves only its WebSocket and asks the person for each connection, so tools, scripts and
// clients share one.
func TestPersonalChrome(t *testing.T) {
	t.Parallel()
	c := startChrome(t, "0")
	site := pipetest.Site(t)
	c.open(site + "/form")
	var version struct{ WebSocketDebuggerURL string }
	if err := json.Unmarshal(c.ask("GET", "/json/version"), &version); err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(version.WebSocketDebuggerURL)
	if err != nil {
		t.Fatal(err)
	}
	var connections atomic.Int32
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Host})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != to.Path {
			http.NotFound(w, r)
			return
		}
		connections.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	config := t.TempDir()
	start := func(args ...string) *pipetest.Pipe {
		cmd := exec.Command(pipetest.Binary(t), args...)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+config)
		return pipetest.StartCmd(t, cmd)
	}

	none := start("--cdp", "chrome")
	pipetest.Has(t, none.Fail("pages", nil), "chrome", "chrome://inspect/#remote-debugging", filepath.Join(config, "google-chrome"))

	profile := filepath.Join(config, "google-chrome")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	port := filepath.Join(profile, "DevToolsActivePort")
	_, number, _ := strings.Cut(front.Listener.Addr().String(), ":")
	for text, want := range map[string]string{
		number + "\n" + to.Path:         "",
		"1\n" + to.Path:                 "nothing listens there",
		"evil.example:80\n" + to.Path:   "is not as Chrome writes it",
		number + "\n/json/new?file:///": "is not as Chrome writes it",
	} {
		if err := os.WriteFile(port, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if want != "" {
			pipetest.Has(t, start("--cdp", "chrome").Fail("pages", nil), want)
			continue
		}
		for i, name := range []string{"chrome", "chrome:" + profile} {
			p := start("--cdp", name, "--profile", "agent")
			pipetest.Has(t, p.Call("pages", nil), site+"/form")
			pipetest.Has(t, p.Call("execute", []any{"context.pages().map((p) => p.url()).join()"}), site+"/form")
			p.Call("session.cdp", nil)
			if got := connections.Load(); got != int32(i+1) {
				t.Errorf("%s: %d connections by then", name, got)
			}
			p.Close()
		}
	}
}
