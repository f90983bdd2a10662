//go:build unix && !linux

package driver

import (
	"time"

	"golang.org/x/sys/unix"
)

// waitExit waits until a process is gone, by asking.
func waitExit(pid int) {
	for pid > 0 && unix.Kill(pid, 0) == nil {
		time.Sleep(100 * time.Millisecond)
	}
}

// descendants: the browser ends when the driver's pipe to it closes.
func descendants(int) []int { return nil }
