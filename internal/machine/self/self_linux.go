package self

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// forked is a link that each process resolves for itself: before it executes, a child
// still runs our file.
const forked = "/proc/self/exe"

// running is the kernel's own link to the file. It is "" if other processes can't
// follow it: there is no /proc, or the program may be executed but not read.
func running() string {
	path := "/proc/" + strconv.Itoa(os.Getpid()) + "/exe"
	if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || dumpable != 1 {
		return ""
	}
	named, err := os.Stat(path)
	own, err2 := os.Stat(forked)
	if err != nil || err2 != nil || !os.SameFile(named, own) { // /proc may be of another pid namespace
		return ""
	}
	return path
}
