package reach

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

func installed(t *testing.T) *setup.Installed {
	t.Helper()
	in := pipetest.Installed(t)
	if in.Kind != "chromium" {
		t.Skip("attaching is tested with the pinned Chromium")
	}
	return in
}

// chrome is a Chromium that pwpipe did not start.
type chrome struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string // HOST:PORT of its DevTools
}

// startChrome starts one on a DevTools port, "0" for any.
func startChrome(t *testing.T, port string, more ...string) *chrome {
	t.Helper()
	addr, cmd := pipetest.Chromium(t, port, more...)
	return &chrome{t: t, cmd: cmd, addr: addr}
}

// sharedChrome is one that the test does not end.
func sharedChrome(t *testing.T) *chrome {
	t.Helper()
	return &chrome{t: t, addr: pipetest.SharedChromium(t)}
}

func (c *chrome) kill() { pipetest.Kill(c.cmd) }

func (c *chrome) ask(method, path string) []byte {
	c.t.Helper()
	r, err := http.NewRequest(method, "http://"+c.addr+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return b
}

// open opens a tab, as a person would.
func (c *chrome) open(page string) {
	c.t.Helper()
	c.ask("PUT", "/json/new?"+url.QueryEscape(page))
	pipetest.Eventually(c.t, "a tab at "+page, func() bool { return slices.Contains(c.tabs(), page) })
}

// tabs are the URLs of the open tabs.
func (c *chrome) tabs() (list []string) {
	c.t.Helper()
	var targets []struct{ Type, URL string }
	if err := json.Unmarshal(c.ask("GET", "/json/list"), &targets); err != nil {
		c.t.Fatal(err)
	}
	for _, target := range targets {
		if target.Type == "page" {
			list = append(list, target.URL)
		}
	}
	return list
}

func cdp(c *chrome) []string { return []string{"--cdp", fmt.Sprintf("http://%s", c.addr)} }
