package setup

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// needs are a browser's needs, with one page, of what the kernel limits for a process
// or a user. With less it does not start, or dies, without a clear error.
var needs = []struct {
	resource int
	what     string
	least    uint64
	shown    string
}{
	{unix.RLIMIT_NOFILE, "open files (ulimit -n)", 64, "64"},
	{unix.RLIMIT_AS, "address space (ulimit -v)", 256 << 30, "256 GiB, of which it uses little"},
	{unix.RLIMIT_DATA, "data (ulimit -d)", 1 << 30, "1 GiB"},
	{unix.RLIMIT_FSIZE, "the size of files (ulimit -f)", 1 << 20, "1 MiB"},
	{unix.RLIMIT_NPROC, "threads of the user (ulimit -u)", 100, "100"},
}

// CheckLimits says which limits of this process are too low for a browser, nil if none
// is. Root may exceed the limit of processes.
func CheckLimits() error {
	var low []string
	for _, n := range needs {
		var limit unix.Rlimit
		if unix.Getrlimit(n.resource, &limit) != nil || limit.Cur >= n.least || n.resource == unix.RLIMIT_NPROC && os.Geteuid() == 0 {
			continue
		}
		low = append(low, fmt.Sprintf("the limit of %s is %d; a browser needs %s", n.what, limit.Cur, n.shown))
	}
	if low == nil {
		return nil
	}
	return errors.New(strings.Join(low, "; "))
}
