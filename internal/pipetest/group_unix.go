//go:build unix

package pipetest

import (
	"os/exec"
	"syscall"
	"testing"
)

// HoldGroup keeps a process group from being orphaned. The kernel itself ends an orphaned
// group that has a stopped member, unless the process that takes its orphans is of the same
// session. A test of what else ends the group would then show nothing.
func HoldGroup(t testing.TB, leader int) {
	t.Helper()
	held := exec.Command("sleep", "1000")
	held.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: leader}
	if err := held.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-leader, syscall.SIGKILL) // the number is the group's as long as held is not waited for
		_ = held.Wait()
	})
}
