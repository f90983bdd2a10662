//go:build unix

package driver

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// hold starts the driver on a thread of its own and keeps that thread until
// the process has ended.
func (d *Driver) hold(o Options, started chan<- error) {
	runtime.LockOSThread()
	err := d.run(o)
	started <- err
	if err != nil || d.pid == 0 {
		return
	}
	waitExit(d.pid)
	close(d.gone)
}

// leaders are the processes that lead a group.
func leaders(pids []int) []int {
	var list []int
	for _, p := range pids {
		if g, err := unix.Getpgid(p); err == nil && g == p {
			list = append(list, p)
		}
	}
	return list
}

// killTree ends a process and all below it. It lists the browser before its parent
// dies: afterwards the parent is unknown.
func killTree(pid int) {
	if pid <= 0 {
		return
	}
	below := descendants(pid)
	for _, g := range leaders(below) { // with the processes that came since
		_ = unix.Kill(-g, unix.SIGKILL)
	}
	for _, p := range append(below, pid) {
		_ = unix.Kill(p, unix.SIGKILL)
	}
}
