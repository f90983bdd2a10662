package driver

import (
	"bufio"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pwpipe/internal/pipetest/until"
)

// group starts a process group: a leader that ends with its input, and a stopped
// child.
func group(t *testing.T) (leader *exec.Cmd, child int) {
	t.Helper()
	leader = exec.Command("/bin/sh", "-c", "sleep 1000 & kill -STOP $!; echo $!; read x")
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if _, err := leader.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := leader.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := leader.Start(); err != nil {
		t.Fatal(err)
	}
	// The kernel ends an orphaned process group that has a stopped member. This
	// process keeps the group from being orphaned.
	held := exec.Command("sleep", "1000")
	held.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: leader.Process.Pid}
	if err := held.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killGroups([]int{leader.Process.Pid})
		_ = leader.Wait()
		_ = held.Process.Kill()
		_ = held.Wait()
	})
	line, _ := bufio.NewReader(out).ReadString('\n')
	if child, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatal(err)
	}
	return leader, child
}

// The warden does nothing while its input is open. Then it waits for leaders, and
// ends what is left. A zombie leader counts as gone.
func TestWarden(t *testing.T) {
	leader, child := group(t)
	w := startWarden([]int{leader.Process.Pid})
	if w == nil {
		t.Skip("no shell")
	}
	if !running(child) || !running(leader.Process.Pid) {
		t.Error("it did not wait")
	}
	_ = unix.Kill(leader.Process.Pid, unix.SIGKILL)
	until.Holds(t, "the leader is gone", func() bool { return !running(leader.Process.Pid) })
	if !running(child) {
		t.Error("what stands still ended by itself: the test shows nothing")
	}
	_ = w.in.Close() // as the kernel does when pwpipe dies
	until.Holds(t, "what stood still is gone", func() bool { return !running(child) })
	_ = w.cmd.Wait()
}
