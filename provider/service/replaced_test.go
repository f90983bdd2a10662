//go:build unix

package service_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestProgramReplaced: while the service runs, an upgrade replaces or removes the
// program's file. Scripts, TypeScript and a new browser start from the running
// program, not from the new file.
func TestProgramReplaced(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTranscripts is quick")
	if runtime.GOOS != "linux" {
		t.Skip("the path of the program is all that there is here")
	}
	for name, change := range map[string]func(program string) error{
		"removed": os.Remove,
		"replaced": func(program string) error {
			if err := os.WriteFile(program+".new", []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
				return err
			}
			return os.Rename(program+".new", program)
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(pipetest.Binary(t))
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(t.TempDir(), "pwpipe")
			if err := os.WriteFile(program, text, 0o755); err != nil {
				t.Fatal(err)
			}
			s := pipetest.StartServiceOf(t, program)
			c := s.Open(nil)
			c.On("page.goto", pipetest.Object{"url": "about:blank"})
			if err := change(program); err != nil {
				t.Fatal(err)
			}
			var n int
			if c.Execute("6 * 7", &n); n != 42 {
				t.Errorf("a script: %d", n)
			}
			if c.Execute("const n: number = 6; return n * 7", &n); n != 42 {
				t.Errorf("TypeScript: %d", n)
			}
			for _, with := range []string{"--remote-debugging-pipe", "start.cjs"} { // the browser, then the driver
				for _, pid := range pipetest.Processes(t, s.PID(), with, "--type=") {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				pipetest.Eventually(t, "a fresh browser", func() bool {
					r := c.Try("page.goto", c.With(pipetest.Object{"url": "about:blank"}))
					return r.Error == nil
				})
				if c.Execute("const n: number = 6; return n * 7", &n); n != 42 {
					t.Errorf("after the end of %s: %d", with, n)
				}
			}
		})
	}
}
