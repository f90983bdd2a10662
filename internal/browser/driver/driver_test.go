package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/machine/temp"
	"pwpipe/internal/pipetest/until"
)

func TestStopAndKillRemoveTemp(t *testing.T) {
	o := options(t)
	for name, end := range map[string]func(*Driver){"stop": func(d *Driver) { stop(t, d) }, "kill": (*Driver).Kill} {
		d := start(t, o)
		if !exists(d.Temp) {
			t.Errorf("%s: no folder", name)
		}
		end(d)
		if exists(d.Temp) {
			t.Errorf("%s: the folder is left", name)
		}
		end(d) // a second time does no harm
	}
}

func TestSweep(t *testing.T) {
	o := options(t)
	const nobody = 1 << 30 // above any process id
	dead := filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-1", temp.RunPrefix, nobody))
	ours := filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-1", temp.RunPrefix, os.Getpid()))
	other := filepath.Join(os.TempDir(), temp.RunPrefix+"other")
	for _, dir := range []string{dead, ours, other} {
		if err := os.MkdirAll(filepath.Join(dir, "profile"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	start(t, o)
	until.Holds(t, "the folder of a dead process is gone", func() bool { return !exists(dead) })
	if !exists(ours) || !exists(other) {
		t.Error("folders of others are gone")
	}
}

func TestStartFails(t *testing.T) {
	o := options(t)
	o.Dir = t.TempDir()
	if _, err := Start(o); err == nil || !strings.Contains(err.Error(), "starting the Playwright driver") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), temp.RunPrefix+"*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestCleanEnv(t *testing.T) {
	for _, name := range dirty {
		t.Setenv(name, "x")
	}
	t.Setenv("LC_TEST", "kept")
	env := CleanEnv()
	for _, name := range dirty {
		if slices.Contains(env, name+"=x") {
			t.Errorf("%s is passed on", name)
		}
	}
	if !slices.Contains(env, "LC_TEST=kept") {
		t.Error("LC_TEST is not passed on")
	}
}

// dirty are variables that must not reach the driver.
var dirty = []string{"NODE_OPTIONS", "DEBUG", "PWDEBUG", "AWS_SECRET_ACCESS_KEY", "NODE_COMPILE_CACHE"}
