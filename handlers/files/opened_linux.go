package files

import (
	"os"
	"strconv"
)

// openedPath is where an open file is now, by the kernel's account.
func openedPath(f *os.File) (string, error) {
	return os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
}
