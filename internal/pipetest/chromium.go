package pipetest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Chromium starts a Chromium that is nobody's, on a DevTools port, "0" for any. It is
// killed with the test. addr is its HOST:PORT.
func Chromium(t testing.TB, port string, more ...string) (addr string, cmd *exec.Cmd) {
	t.Helper()
	in := Installed(t)
	if in.Kind != "chromium" {
		t.Skip("attaching is tested with the pinned Chromium")
	}
	logStart(t, "Chromium")
	dir := ProfileDir(t)
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-port=" + port, "--user-data-dir=" + dir, "about:blank"}, in.Args...)
	cmd = exec.Command(in.Executable, append(args, more...)...)
	cmd.Env = append(os.Environ(), in.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Kill(cmd) })
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		p, known := port, port != "0" // whole Chromiums write down only what they chose
		if !known {
			text, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
			p, _, known = strings.Cut(string(text), "\n")
		}
		if known {
			if r, err := http.Get("http://127.0.0.1:" + p + "/json/version"); err == nil {
				_ = r.Body.Close()
				return "127.0.0.1:" + p, cmd
			}
		}
	}
	t.Fatal("Chromium did not start")
	return "", nil
}

// Kill ends a process that the test started.
func Kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_, _ = cmd.Process.Wait()
}
