package pipetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

const command = "pwpipe/cmd/pwpipe"

// Binary builds cmd/pwpipe and returns its path, the same for all test packages. If
// nothing has changed it uses the existing one. Under the race detector the binary has
// it too, and a test that is not marked as [UnderRace] is skipped.
func Binary(t testing.TB) string {
	t.Helper()
	SkipUnmarked(t)
	exe, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

var build = sync.OnceValues(func() (string, error) {
	module, err := moduleDir()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	// Each checkout has its own binary.
	kind, args := "bin-", []string{"build", "-buildvcs=false", "-ldflags=-w"}
	if Race {
		kind, args = "race-", append(args, "-race")
	}
	dir := filepath.Join(cache, "pwpipe-test", kind+digest(module))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	exe := filepath.Join(dir, "pwpipe")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	state := filepath.Join(dir, "sources")
	if _, err := os.Stat(exe); err == nil && unchanged(state) {
		return exe, nil
	}
	files, err := sources()
	if err != nil {
		return "", err
	}
	// Read before the build: files that change meanwhile are built the next time.
	text := stateOf(files)
	_ = os.Remove(state)
	if out, err := exec.Command("go", append(args, "-o", exe, command)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building pwpipe: %w\n%s", err, out)
	}
	return exe, os.WriteFile(state, []byte(text), 0o644)
})

// moduleDir is the folder of the module under test: tests run in a folder below it.
func moduleDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the tests")
		}
		dir = up
	}
}
