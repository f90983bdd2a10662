//go:build unix && !linux

package reexec

import "syscall"

// DieWithParent: the driver ends when its stdin closes.
func DieWithParent() {}

// duplicate makes one descriptor another.
func duplicate(fd, other int) error { return syscall.Dup2(fd, other) }
