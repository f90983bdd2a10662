//go:build unix

package files

import (
	"os"
	"syscall"
)

// names is how many names a file has.
func names(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}
