package reach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// startServer starts a Playwright server and returns its URL.
func startServer(t *testing.T) string {
	t.Helper()
	in := installed(t)
	config := filepath.Join(t.TempDir(), "server.json")
	env := map[string]string{}
	for _, kv := range append(os.Environ(), in.Env...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	text, _ := json.Marshal(map[string]any{"executablePath": in.Executable, "env": env, "args": append([]string{}, in.Args...), "headless": true, "host": "127.0.0.1"})
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(in.Node, filepath.Join(in.DriverDir, "package", "cli.js"), "launch-server", "--browser", "chromium", "--config", config)
	cmd.Env = append(os.Environ(), in.DriverEnv...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it ends its own browser
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
	})
	line := make(chan string, 1)
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			if strings.HasPrefix(s.Text(), "ws://") {
				line <- s.Text()
			}
		}
	}()
	select {
	case addr := <-line:
		return addr
	case <-time.After(pipetest.Patience):
		t.Fatal("the Playwright server did not start")
		return ""
	}
}

func cdp(c *chrome) []string { return []string{"--cdp", fmt.Sprintf("http://%s", c.addr)} }
