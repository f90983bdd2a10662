//go:build evidence

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// ownCache is a test's own cache folder with the contents of the user's, but
// without remembered state.
func ownCache(t *testing.T) (dir, state string) {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{Stderr: &strings.Builder{}})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, part := range []string{in.DriverDir, filepath.Dir(in.Program())} {
		if filepath.Dir(part) != filepath.Dir(in.DriverDir) {
			t.Skip("needs the browser that pwpipe fetches")
		}
		if err := os.Symlink(part, filepath.Join(dir, filepath.Base(part))); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "state.json")
}

// TestEarlyBrowser: a browser starts before the driver asks for it, with the
// arguments of the last launch. Whatever the state file contains, pwpipe uses
// the browser that the driver asks for.
func TestEarlyBrowser(t *testing.T) {
	pipetest.Nightly(t, "every other test starts a browser early")
	t.Parallel()
	cache, state := ownCache(t)
	site := pipetest.Site(t)
	visit := func(t *testing.T, want string, args ...string) {
		t.Helper()
		cmd := exec.Command(pipetest.Binary(t), append([]string{"--log-level", "debug", "--base-url", site}, args...)...)
		cmd.Env = append(os.Environ(), "PWPIPE_CACHE="+cache)
		p := pipetest.StartCmd(t, cmd)
		p.Call("nav", []any{"/login"})
		if got := p.Text("title", nil); got == "" {
			t.Error("there is no page")
		}
		log := p.Stderr()
		for _, event := range []string{"early browser started", "early browser used", "early browser dropped"} {
			if strings.Contains(log, event) != strings.Contains(want, event) {
				t.Errorf("%q: want %q, the log:\n%s", event, want, log)
			}
		}
		if strings.Contains(want, "used") && !strings.Contains(log, `msg="early browser used" pid=`+strconv.Itoa(p.Browser())) {
			t.Errorf("the browser is %d, the log:\n%s", p.Browser(), log)
		}
		if browsers := pipetest.Processes(t, p.Cmd.Process.Pid, "--remote-debugging-pipe", "--type="); len(browsers) != 1 {
			t.Errorf("%d browsers run", len(browsers))
		}
		pipetest.Eventually(t, "the start is remembered", func() bool { return strings.Contains(read(t, state), `"launches"`) })
		if _, status := p.Close(); status != 0 {
			t.Errorf("status %d", status)
		}
	}
	const none, used, dropped = "", "early browser started, early browser used", "early browser started, early browser dropped"
	visit(t, none)
	visit(t, used)
	visit(t, none, "--allowed-domains", "127.0.0.1") // other options mean another launch
	visit(t, used, "--allowed-domains", "127.0.0.1")
	profile := pipetest.ProfileDir(t)
	visit(t, none, "--user-data-dir", profile)
	visit(t, used, "--user-data-dir", profile)

	garble := func(change func(args []string) []string) {
		var all map[string]any
		if err := json.Unmarshal([]byte(read(t, state)), &all); err != nil {
			t.Fatal(err)
		}
		for _, one := range all["launches"].(map[string]any) {
			var args []string
			for _, a := range one.(map[string]any)["args"].([]any) {
				args = append(args, a.(string))
			}
			one.(map[string]any)["args"] = change(args)
		}
		text, _ := json.Marshal(all)
		if err := os.WriteFile(state, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	garble(func(args []string) []string { return append(args, "--enable-logging") })
	visit(t, dropped)
	visit(t, dropped, "--user-data-dir", profile) // a dropped browser could keep the profile locked
	visit(t, used)
	garble(func(args []string) []string { return append(args, "--remote-debugging-port=0") })
	visit(t, none)
	visit(t, used)
	garble(func(args []string) []string { return append([]string{"--version"}, args...) }) // exits at once
	visit(t, dropped)
	for _, text := range []string{"", "{", `{"launches":7}`, `{"launches":{"x":null}}`} {
		if err := os.WriteFile(state, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		visit(t, none)
	}
	visit(t, used)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
