package pipetest

import (
	"encoding/json"
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
	ends := func(cmd *exec.Cmd) { t.Cleanup(func() { Kill(cmd) }) }
	return startChromium(t, ProfileDir(t), port, ends, more...)
}

// startChromium starts a Chromium with a profile. started gets it as soon as it runs.
func startChromium(t testing.TB, dir, port string, started func(*exec.Cmd), more ...string) (string, *exec.Cmd) {
	t.Helper()
	in := Installed(t)
	if in.Kind != "chromium" {
		t.Skip("attaching is tested with the pinned Chromium")
	}
	logStart(t, "Chromium")
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-port=" + port, "--user-data-dir=" + dir, "about:blank"}, in.Args...)
	cmd := exec.Command(in.Executable, append(args, more...)...)
	cmd.Env = append(os.Environ(), in.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started(cmd)
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

// idleChromiums are the addresses of the Chromiums that no test uses.
var idleChromiums = pool[string]{by: map[string][]string{}}

// SharedChromium is Chromium for a test that needs no process of its own. Another test may have used it
// before, but not at the same time. It has one blank tab, and the cookies and settings of that test.
func SharedChromium(t testing.TB) (addr string) {
	t.Helper()
	const kind = "Chromium"
	lent.take(t, kind)
	addr, ok := idleChromiums.take(kind)
	if !ok {
		dir, err := os.MkdirTemp("", "pwpipe-profile-")
		if err != nil {
			t.Fatal(err)
		}
		addr, _ = startChromium(t, dir, "0", func(cmd *exec.Cmd) {
			removeLast(func() error { Kill(cmd); return removeProfile(dir) })
		})
	}
	t.Cleanup(func() {
		if !t.Failed() {
			leaveBlank(t, addr)
			idleChromiums.keep(kind, addr)
		}
	})
	return addr
}

// leaveBlank closes all tabs of a Chromium but a blank one.
func leaveBlank(t testing.TB, addr string) {
	t.Helper()
	type tab struct{ ID, Type string }
	ask := func(method, path string, into any) {
		t.Helper()
		r, err := http.NewRequest(method, "http://"+addr+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if into != nil && json.NewDecoder(resp.Body).Decode(into) != nil {
			t.Fatalf("%s: %s", path, resp.Status)
		}
	}
	var blank tab
	ask(http.MethodPut, "/json/new?about:blank", &blank)
	Eventually(t, "the other tabs are closed", func() bool {
		var tabs []tab
		ask(http.MethodGet, "/json/list", &tabs)
		open := 0
		for _, one := range tabs {
			if one.Type == "page" && one.ID != blank.ID {
				ask(http.MethodGet, "/json/close/"+one.ID, nil)
				open++
			}
		}
		return open == 0
	})
}
