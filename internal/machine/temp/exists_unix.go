//go:build unix

package temp

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func processExists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// isOurs reports whether a folder belongs to this user: folders of others are ignored.
func isOurs(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
