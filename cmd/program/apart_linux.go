package program

import "golang.org/x/sys/unix"

// closeOthers marks all descriptors but the first three, where the kernel can (5.11).
func closeOthers() error { return unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) }
