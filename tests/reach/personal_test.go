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

// TestPersonalChrome: --cdp chrome finds the Chrome that a person allows to debug. It
// serves only its WebSocket and asks the person for each connection, so tools, scripts and
// clients share one.
func TestPersonalChrome(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach is quick")
	t.Parallel()
	c := startChrome(t, "0")
	site := pipetest.Site(t)
	c.open(site + "/form")
	f := c.front()
	config := t.TempDir()
	start := func(args ...string) *pipetest.Pipe {
		cmd := exec.Command(pipetest.Binary(t), args...)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+config)
		return pipetest.StartCmd(t, cmd)
	}

	none := start("--cdp", "chrome")
	pipetest.Has(t, none.Fail("pages", nil), "chrome", "chrome://inspect/#remote-debugging", filepath.Join(config, "google-chrome"))
	none.Close()

	profile := filepath.Join(config, "google-chrome")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	port := filepath.Join(profile, "DevToolsActivePort")
	says := func(text string) {
		t.Helper()
		if err := os.WriteFile(port, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"1\n" + f.path:                  "nothing listens there",
		"evil.example:80\n" + f.path:    "is not as Chrome writes it",
		f.port + "\n/json/new?file:///": "is not as Chrome writes it",
	} {
		says(text)
		p := start("--cdp", "chrome")
		pipetest.Has(t, p.Fail("pages", nil), want)
		p.Close()
	}
	says(f.port + "\n" + f.path)
	for _, name := range []string{"chrome", "chrome:" + profile} { // one after the other
		p := start("--cdp", name, "--profile", "agent", "--lend", "/form")
		pipetest.Has(t, p.Call("pages", nil), site+"/form")
		pipetest.Has(t, p.Call("execute", []any{"context.pages().map((p) => p.url()).join()"}), site+"/form")
		p.Call("session.cdp", nil)
		if got := f.connections.Load(); got != 1 {
			t.Errorf("%s: %d connections by then", name, got)
		}
		p.Close()
	}
}
