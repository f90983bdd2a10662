//go:build unix

package thin

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Each of these gets its own service, and files are relative to the folder.
func TestHere(t *testing.T) {
	run, a, b := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, variable := range os.Environ() { // variables of the test run, such as PWPIPE_TEST_ALL
		if key, _, _ := strings.Cut(variable, "="); strings.HasPrefix(key, "PWPIPE_") {
			t.Setenv(key, "")
			_ = os.Unsetenv(key)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	name := func(dir, variable string) string {
		t.Helper()
		key, value, _ := strings.Cut(variable, "=")
		if key != "" {
			t.Setenv(key, value)
			defer os.Unsetenv(key)
		}
		p, err := Here(dir)
		if err != nil {
			t.Fatal(err)
		}
		return p.Name
	}
	var names []string
	for _, v := range []string{"", "ALLOWED_DOMAINS=", "ALLOWED_DOMAINS=a", "BLOCKED_DOMAINS=", "BLOCKED_DOMAINS=a",
		"PWPIPE_ALLOWED_DOMAINS=", "PWPIPE_BLOCKED_DOMAINS=", "PWPIPE_BLOCKED_DOMAINS=a", "PWPIPE_SECRETS=/x",
		"PWPIPE_BROWSER=firefox"} {
		if name(a, v) != name(b, v) {
			t.Errorf("%s: another service in another folder", v)
		}
		names = append(names, name(a, v))
	}
	for _, v := range []string{"PWPIPE_ALLOW_DIR=/x,.", "PWPIPE_SECRETS=.env", "PWPIPE_BROWSER=./x",
		"PWPIPE_OUTPUT_DIR=out", "PWPIPE_USER_DATA_DIR=p", "PWPIPE_GRID_CAPABILITIES=@c.json"} {
		names = append(names, name(a, v), name(b, v))
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("the same service twice: %q", names)
	}
	for _, v := range []string{"PWPIPE_LANG=", "PWPIPE_SESSION=x"} {
		if name(a, v) != "service" {
			t.Errorf("%s: another service", v)
		}
	}
}

// These packages initialise later: an import of one would slow down each command.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skip(err)
	}
	for _, late := range []string{"strings", "strconv", "unicode", "fmt", "crypto", "path/filepath"} {
		if slices.Contains(strings.Fields(string(out)), late) {
			t.Errorf("it imports %s", late)
		}
	}
}
