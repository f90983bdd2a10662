//go:build evidence

package reach

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

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
