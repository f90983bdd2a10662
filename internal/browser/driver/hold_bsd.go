//go:build unix && !linux

package driver

import (
	"time"

	"golang.org/x/sys/unix"
)

// waitExit polls until a process is gone.
func waitExit(pid int) {
	for pid > 0 && unix.Kill(pid, 0) == nil {
		time.Sleep(100 * time.Millisecond)
	}
}

// descendants are not needed: the browser ends when the driver's pipe to it closes.
func descendants(int) []int { return nil }
