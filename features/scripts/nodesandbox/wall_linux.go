package nodesandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/cell"
)

// Walls lists the walls of this system. It tries, once, what can only be tried. Landlock
// keeps files, seccomp calls of the system, namespaces the network and other processes;
// limits bound memory, threads, descriptors and files.
func Walls() []Wall {
	files := Wall{Name: "Landlock", Stands: landlockABI() > 0}
	if !files.Stands {
		files.Why = landlockMissing()
	}
	calls := Wall{Name: "seccomp", Stands: filters()}
	switch {
	case architecture == 0:
		calls.Why = "there is no table of calls for " + runtime.GOARCH
	case !calls.Stands:
		calls.Why = "the kernel was built without it"
	}
	spaces := Wall{Name: "namespaces"}
	if err := namespacesRefused(); err != nil {
		spaces.Why = fmt.Sprintf("the kernel or the container refuses them (%v)", err)
	}
	spaces.Stands = spaces.Why == ""
	list := []Wall{files, calls, spaces, {Name: "limits", Stands: true}}
	if !files.Stands {
		list = append(list, permissionModel)
	}
	return list
}

// NetworkClosed reports whether a cell can't reach the network, not even with native
// code instead of Node.
func NetworkClosed() bool { return filters() || namespacesRefused() == nil }

// filters reports whether system calls can be filtered. It passes an invalid address of
// a filter: a kernel with filters reports the address.
func filters() bool {
	return architecture != 0 && errors.Is(unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, 0, 0, 0), unix.EFAULT)
}

func landlockMissing() string {
	_, _, e := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch e {
	case unix.ENOSYS:
		return "the kernel is older than 5.13, or was built without it, or the container hides it"
	case unix.EOPNOTSUPP:
		return "it is not among the kernel's lsm= at boot"
	}
	return "the container's seccomp profile refuses it (" + e.Error() + ")"
}

// namespacesRefused says why there are none, nil if there are. It starts a missing
// program in them: the error is "not found" if they work.
var namespacesRefused = sync.OnceValue(func() error {
	_, err := syscall.ForkExec("/nonexistent/pwpipe", nil, &syscall.ProcAttr{Env: []string{}, Sys: attributes(ownNamespaces), Files: []uintptr{^uintptr(0)}})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
})

// niceness: a busy cell must not slow down whoever drives the browser.
const niceness = 5

const fileSize = 64 << 20 // of one file in the scratch folder

// slack is writable memory that a process may have mapped without using it: the stacks
// of threads, and the 512 MiB that V8 since Node 24 reserves for the code of each of
// its heaps, one for every worker.
const slack = 128<<20 + 3*512<<20

// limits are the limits that the kernel enforces. The process may map more than it may
// hold; its memory is watched, but no single step can take without bound.
func limits(memory int64, files int) []cell.Limit {
	return []cell.Limit{
		{Resource: unix.RLIMIT_CORE, Max: 0},
		{Resource: unix.RLIMIT_NOFILE, Max: uint64(files)},
		{Resource: unix.RLIMIT_FSIZE, Max: fileSize},
		{Resource: unix.RLIMIT_DATA, Max: uint64(memory + memory/2 + slack)},
		{Resource: unix.RLIMIT_MEMLOCK, Max: 0},
		{Resource: unix.RLIMIT_MSGQUEUE, Max: 0},
	}
}

// ownNamespaces: a network without a way out, no other processes, no messages between
// them. The user namespace lets an ordinary user have the others.
const ownNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// namespaces are tried one after the other. Kernels and containers refuse them in many
// ways, and none is necessary.
var namespaces = []uintptr{ownNamespaces, 0}

// PSS is the bytes that the process holds, with its share of shared memory, and what is
// swapped out; 0 when it is gone.
func (c *Cell) PSS() int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(c.PID()) + "/smaps_rollup")
	return kilobytes(text, "Pss:") + kilobytes(text, "SwapPss:")
}

// kilobytes is a line of a /proc file, in bytes; 0 if it is missing.
func kilobytes(text []byte, name string) int64 {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == name {
			n, _ := strconv.ParseInt(string(f[1]), 10, 64)
			return n << 10
		}
	}
	return 0
}
