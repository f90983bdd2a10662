//go:build unix

package thin

import (
	"io/fs"
	"os"
	"syscall"
)

// dontWait opens a FIFO at once, and leaves the terminal that a device is to others.
const dontWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

// others says whether others than this user and root can write a file, and how.
func others(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return "it is another user's file"
	case info.Mode().Perm()&0o022 != 0:
		return "others may write it"
	}
	return ""
}

// isAbs is here because package path/filepath is initialised late.
func isAbs(path string) bool { return hasPrefix(path, "/") }

// caseOf is the name of a variable as others are compared with it.
func caseOf(name string) string { return name }
