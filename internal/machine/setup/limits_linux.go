package setup

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// needs are a browser's needs, with one page, of what the kernel limits for a process
// or a user. With less it does not start, or dies, without a clear error. A whole
// Chromium has a profile with databases, and needs more than the pinned build.
var needs = []struct {
	resource int
	what     string
	pinned   least
	whole    least
}{
	{unix.RLIMIT_NOFILE, "open files (ulimit -n)", least{64, "64"}, least{160, "160"}},
	{unix.RLIMIT_AS, "address space (ulimit -v)", addresses, addresses},
	{unix.RLIMIT_DATA, "data (ulimit -d)", least{1 << 30, "1 GiB"}, least{1 << 30, "1 GiB"}},
	{unix.RLIMIT_FSIZE, "the size of files (ulimit -f)", least{1 << 20, "1 MiB"}, least{8 << 20, "8 MiB"}},
	{unix.RLIMIT_NPROC, "threads of the user (ulimit -u)", least{100, "100"}, least{100, "100"}},
}

type least struct {
	is    uint64
	shown string
}

var addresses = least{256 << 30, "256 GiB, of which it uses little"}

// CheckLimits says which limits of this process are too low for a browser, a whole
// Chromium or the pinned build, nil if none is. Root may exceed the limit of processes. A
// browser reads its limits by prlimit64, as C's library does, and opens no page without it.
func CheckLimits(whole bool) error {
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, nil, new(unix.Rlimit)); err != nil {
		return fmt.Errorf("the system call prlimit64 is refused (%w), as by a container's seccomp profile; "+
			"a browser needs it", err)
	}
	var low []string
	for _, n := range needs {
		var limit unix.Rlimit
		least := n.pinned
		if whole {
			least = n.whole
		}
		if unix.Getrlimit(n.resource, &limit) != nil || limit.Cur >= least.is || n.resource == unix.RLIMIT_NPROC && os.Geteuid() == 0 {
			continue
		}
		low = append(low, fmt.Sprintf("the limit of %s is %d; a browser needs %s", n.what, limit.Cur, least.shown))
	}
	if low == nil {
		return nil
	}
	return errors.New(strings.Join(low, "; "))
}
