package nodesandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Walls lists the walls of this system. It tries, once, what can only be tried.
func Walls() []Wall {
	files := Wall{Name: "Landlock", Stands: landlockABI() > 0, Worth: worthFiles}
	if !files.Stands {
		files.Why = landlockMissing()
	}
	calls := Wall{Name: "seccomp", Stands: filters(), Worth: worthCalls}
	switch {
	case architecture == 0:
		calls.Why = "there is no table of calls for " + runtime.GOARCH
	case !calls.Stands:
		calls.Why = "the kernel was built without it"
	}
	spaces := Wall{Name: "namespaces", Worth: worthNamespaces}
	if err := namespacesRefused(); err != nil {
		spaces.Why = fmt.Sprintf("the kernel or the container refuses them (%v)", err)
	}
	spaces.Stands = spaces.Why == ""
	list := []Wall{files, calls, spaces, {Name: "limits", Stands: true, Worth: worthLimits}}
	if !files.Stands {
		list = append(list, Wall{Name: "permission model", Stands: true, Worth: worthPermission})
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
