//go:build evidence

package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// systemd's Nice= and many CI runners give pwpipe a low priority, which its scripts
// can't raise.
func TestScriptsOfANiceProgram(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	user := pipetest.NormalUser(t)
	command := user.Command("--site")
	command.Args = append([]string{"nice", "-n", "12"}, command.Args...)
	command.Path, _ = exec.LookPath("nice")
	p := pipetest.StartCmd(t, command)
	p.Call("nav", []any{"/form"})
	if got := pipetest.Execute(p, "6 * 7"); got != "42" {
		t.Error(got)
	}
}

// The first script of a machine fetches Playwright's expect. A slow registry does not
// use up the script's time.
func TestScriptsWaitForWhatTheyFetch(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	user := pipetest.NormalUser(t)
	there, err := filepath.Glob(filepath.Join(user.Cache, "playwright-1.*"))
	if err != nil || len(there) != 1 {
		t.Fatal(there, err)
	}
	if err := os.RemoveAll(there[0]); err != nil {
		t.Fatal(err)
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm")
	}
	slow := filepath.Join(user.Home, "slow")
	if err := os.Mkdir(slow, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(slow, "npm"), []byte("#!/bin/sh\nsleep 25\nexec '"+npm+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	command := user.Command("--site")
	command.Env = append(command.Env, "PATH="+slow+string(os.PathListSeparator)+os.Getenv("PATH"))
	p := pipetest.StartCmd(t, command)
	p.Call("nav", []any{"/form"})
	if got := p.Call("execute", map[string]any{"code": "6 * 7"}, "timeout", 20); got != `{"result":42}` {
		t.Error(got)
	}
	if _, err := os.Stat(there[0]); err != nil {
		t.Error("nothing was fetched:", err)
	}
}
