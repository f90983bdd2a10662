//go:build unix && !linux

package reexec

import "syscall"

// dieWithParent: the driver ends when its stdin closes.
func dieWithParent() {}

// become makes one descriptor a copy of another.
func become(fd, other int) error { return syscall.Dup2(fd, other) }
