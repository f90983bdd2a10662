package main

import (
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestStoppedProcesses: a process stopped by SIGSTOP can't notice that its
// browser is gone. It still ends with pwpipe: after an orderly end, a kill of
// pwpipe, or a kill of the browser.
func TestStoppedProcesses(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestParentGone is quick")
	t.Parallel()
	ends := map[string]func(*testing.T, *pipetest.Pipe){
		"end of input": func(t *testing.T, p *pipetest.Pipe) {
			if _, status := p.Close(); status != 0 {
				t.Errorf("status %d", status)
			}
		},
		"kill -9 of pwpipe": func(t *testing.T, p *pipetest.Pipe) {
			warded(t, p)
			_ = p.Cmd.Process.Kill()
			p.Wait()
		},
		"kill -9 of the browser": func(t *testing.T, p *pipetest.Pipe) {
			warded(t, p)
			_ = syscall.Kill(browserOf(t, p), syscall.SIGKILL)
		},
		"kill -9 of the stand-in": func(t *testing.T, p *pipetest.Pipe) {
			warded(t, p)
			_ = syscall.Kill(standInOf(t, p), syscall.SIGKILL)
		},
		"kill -9 of the driver": func(t *testing.T, p *pipetest.Pipe) {
			warded(t, p)
			_ = syscall.Kill(driverOf(t, p), syscall.SIGKILL)
		},
	}
	for _, kind := range pipetest.Some([]string{"--type=renderer", "--type=gpu-process"}, 2) {
		for name, end := range ends {
			t.Run(strings.TrimPrefix(kind, "--type=")+", "+name, func(t *testing.T) {
				t.Parallel()
				p := pipetest.StartSite(t)
				p.Call("nav", []any{"/login"})
				before := pipetest.Descendants(t, p.Cmd.Process.Pid)
				pipetest.HoldGroup(t, browserOf(t, p))
				for _, pid := range pipetest.Processes(t, p.Cmd.Process.Pid, kind, "") {
					if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
						t.Fatal(err)
					}
				}
				end(t, p)
				allGone(t, before)
			})
		}
	}
}

// warded waits for the process that ends the others if pwpipe is killed.
func warded(t *testing.T, p *pipetest.Pipe) {
	t.Helper()
	pipetest.Eventually(t, "there is a warden", func() bool {
		for _, cmd := range pipetest.Descendants(t, p.Cmd.Process.Pid) {
			if strings.Contains(cmd, "pwpipe-warden") {
				return true
			}
		}
		return false
	})
}
