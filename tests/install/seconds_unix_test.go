//go:build evidence && unix

package install_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestSeconds measures the time from nothing to the first outline of a page, with one command,
// for the table in docs/install.md: an empty home, and empty caches of npm and uv. It asserts no
// time. Peers get the browser of pwpipe: the hosts of theirs are not always in reach.
//
//	PWPIPE_TEST_SECONDS=1 go test -tags evidence ./tests/install -run TestSeconds -v
func TestSeconds(t *testing.T) {
	if os.Getenv("PWPIPE_TEST_SECONDS") == "" {
		t.Skip("PWPIPE_TEST_SECONDS is not set: it measures, and fetches much")
	}
	p, chromium, uvx := packagesOf(t), pipetest.Installed(t), uvx(t)
	page := pipetest.Site(t) + "/form"
	pipe := `{"id":1,"method":"nav","params":["` + page + `"]}` + "\n" + `{"id":2,"method":"snapshot"}` + "\n"
	theirs := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_navigate","arguments":{"url":"` + page + `"}}}
`
	wheel := p.file(t, "pwpipe-*-py3-none-manylinux_2_17_x86_64.whl")
	npx := []string{"npx", "--yes", "--package", p.file(t, "pwpipe-[0-9]*.tgz"), "--package", p.file(t, "pwpipe-linux-x64-*.tgz"), "pwpipe"}
	for round := range 3 {
		for _, way := range []struct {
			name, stdin string
			command     []string
		}{
			{"npx pwpipe", pipe, npx},
			{"npx pwpipe, with a browser that is there", pipe, append(npx[:len(npx):len(npx)], "--browser", chromium.Executable)},
			{"uvx pwpipe", pipe, []string{uvx, "--quiet", "--from", wheel, "pwpipe"}},
			{"npx " + pipetest.PlaywrightMCP, theirs, []string{
				"npx", "--yes", pipetest.PlaywrightMCP,
				"--headless", "--isolated", "--no-sandbox", "--executable-path", chromium.Executable,
			}},
			{"npx agent-browser", "", []string{"npx", "--yes", "agent-browser@0.41.2", "batch", "open " + page, "snapshot"}},
		} {
			t.Logf("round %d, %s: %.1f s", round+1, way.name, seconds(t, way.stdin, chromium.Executable, chromium.Env, way.command))
		}
	}
}

// seconds is the time that a command takes until it has printed a control of the page, or where
// it has written its snapshot.
func seconds(t *testing.T, stdin, browser string, env, command []string) float64 {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), emptyHome(t)...), "npm_config_cache="+filepath.Join(dir, "npm"), "UV_CACHE_DIR="+filepath.Join(dir, "uv"),
		"AGENT_BROWSER_EXECUTABLE_PATH="+browser, "AGENT_BROWSER_ARGS=--no-sandbox", "AGENT_BROWSER_IDLE_TIMEOUT_MS=2000", "AGENT_BROWSER_NAMESPACE=seconds")
	if command[len(command)-1] != "pwpipe" { // it has them itself
		cmd.Env = append(cmd.Env, env...)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var errs strings.Builder
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}()
	timer := time.AfterFunc(3*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer timer.Stop()
	if _, err := io.WriteString(in, stdin); err != nil {
		t.Error(err)
	}
	text := ""
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if text += line; strings.Contains(line, "textbox") || strings.Contains(line, "### Snapshot") {
			return time.Since(begin).Seconds()
		}
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", command, err, text, errs.String())
		}
	}
}

// uvx is the program of the Python package uv.
func uvx(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "uv")
	run(t, "", nil, "python3", "-m", "venv", dir)
	run(t, "", nil, filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "uv")
	return filepath.Join(dir, "bin", "uvx")
}
