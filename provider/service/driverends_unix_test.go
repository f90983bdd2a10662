//go:build unix

package service_test

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestStoppedDriver: a driver that hangs is ended, with its browsers, and their sessions go
// on in browsers on another.
func TestStoppedDriver(t *testing.T) {
	pipetest.InCIAndRace(t, "it waits for what hangs")
	t.Parallel()
	svc := pipetest.StartService(t, "--browsers=2")
	all := sharing(svc, 2)
	driver := driversOf(t, svc)
	if len(driver) != 1 {
		t.Fatalf("%d drivers, want 1", len(driver))
	}
	if err := syscall.Kill(driver[0], syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, all[0].Said("page.reload", all[0].With(nil)), "the next request gets a fresh browser")
	all[0].On("page.goto", m{"url": "/login"})
	pipetest.Eventually(t, "it is gone", func() bool { return syscall.Kill(driver[0], 0) != nil })
	pipetest.Has(t, all[1].Said("url", all[1].With(nil)), "since the last request")
	all[1].On("page.goto", m{"url": "/login"})
}

// TestKilledServiceLeavesNothing: no driver and no browser outlives a service that is
// killed, not even processes that stand still, and the next run removes its folders.
func TestKilledServiceLeavesNothing(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	temp := t.TempDir()
	svc := pipetest.StartService(t, "--browsers=3", "TMPDIR="+temp)
	sharing(svc, 3)
	driver := driversOf(t, svc)
	browsers := browsersOf(t, svc)
	pipetest.Eventually(t, "each browser has its warden", func() bool {
		wardens := 0
		for _, command := range pipetest.Descendants(t, svc.PID()) {
			if strings.Contains(command, "pwpipe-warden") {
				wardens++
			}
		}
		return wardens == len(browsers)
	})
	below := pipetest.Descendants(t, svc.PID())
	for _, pid := range browsers {
		pipetest.HoldGroup(t, pid)
	}
	stopped := append(pipetest.Processes(t, svc.PID(), "--type=renderer", ""), browsers[0], driver[0])
	for _, pid := range stopped {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	left := foldersIn(temp)
	kill(t, svc.PID())
	allGone(t, below)
	svc.Stop() // which waits for it: until then its process id is taken
	sharing(pipetest.StartService(t, "TMPDIR="+temp), 1)
	pipetest.Eventually(t, "its folders are gone", func() bool {
		return !slices.ContainsFunc(foldersIn(temp), func(f string) bool { return slices.Contains(left, f) })
	})
}

// foldersIn are the folders of pwpipe in a folder for temporary files.
func foldersIn(temp string) []string {
	list, _ := filepath.Glob(filepath.Join(temp, "pwpipe-*"))
	return list
}

// allGone waits until no process is left; the kernel may need a moment for those that ended.
func allGone(t *testing.T, pids map[int]string) {
	t.Helper()
	pipetest.Eventually(t, "all processes are gone", func() bool {
		for pid := range pids {
			if syscall.Kill(pid, 0) == nil {
				return false
			}
		}
		return true
	})
}

// TestStopEndsSharedDriver: a service that stops closes the browsers of a driver, and
// leaves no folder.
func TestStopEndsSharedDriver(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	temp := t.TempDir()
	svc := pipetest.StartService(t, "--browsers=3", "TMPDIR="+temp)
	sharing(svc, 3)
	below := pipetest.Descendants(t, svc.PID())
	svc.Stop()
	allGone(t, below)
	if left := foldersIn(temp); len(left) > 0 {
		t.Errorf("folders %v are left", left)
	}
}
