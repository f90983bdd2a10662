//go:build evidence

package reach

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

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
