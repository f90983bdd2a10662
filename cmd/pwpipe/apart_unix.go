//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

// apart keeps a service away from the terminal of the command that started it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepNothing has programs started from now on get no descriptors that this one was
// given, beside the first three: whoever reads the other end of one would wait for them.
func keepNothing() {
	if closeOthers() == nil {
		return
	}
	list, _ := os.ReadDir("/dev/fd")
	for _, e := range list {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
