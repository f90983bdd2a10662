//go:build evidence

// Package apps drives real applications as their users do. They take minutes to
// install, and some need Python, so the tests run only if PWPIPE_TEST_APPS is
// set.
package apps

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// wanted skips a test unless applications were requested.
func wanted(t *testing.T) {
	t.Helper()
	if os.Getenv("PWPIPE_TEST_APPS") == "" {
		t.Skip("real applications are driven where PWPIPE_TEST_APPS is set")
	}
}

// background runs a server until the test ends.
func background(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir) // it keeps its settings there
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		done := make(chan struct{})
		go func() { _, _ = cmd.Process.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
		}
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s:\n%s", name, text)
		}
	})
}
