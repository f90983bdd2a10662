//go:build evidence

package clients

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// command is how pwpipe starts its Chromium.
type command struct{ args, env []string }

// known finds out how a pwpipe's own Chromium was started.
func known(t *testing.T) command {
	t.Helper()
	p := pipetest.Start(t)
	p.Call("nav", []any{"about:blank"})
	of := func(name string) []string {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.Browser(), name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(bytes.TrimRight(raw, "\x00")), "\x00")
	}
	return command{of("cmdline"), of("environ")}
}

// plain starts the same Chromium with the same flags, except a port, a new profile and
// no proxy. It returns the URL.
func (c command) plain(t *testing.T) string {
	args := []string{"--remote-debugging-port=0", "--user-data-dir=" + t.TempDir()}
	for _, arg := range c.args[1:] {
		name, _, _ := strings.Cut(arg, "=")
		switch name {
		case "--remote-debugging-pipe", "--user-data-dir", "--proxy-server", "--proxy-bypass-list":
		default:
			args = append(args, arg)
		}
	}
	cmd := exec.Command(c.args[0], args...)
	cmd.Env = c.env
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			go func() {
				for lines.Scan() { // an unread pipe would block it
				}
			}()
			return address
		}
	}
	t.Fatal("Chromium tells no address")
	return ""
}

// ours starts pwpipe, and returns its session's URL.
func ours(t *testing.T) string {
	p := pipetest.Start(t, "--allow-file")
	p.Call("nav", []any{"about:blank"})
	return pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL
}
