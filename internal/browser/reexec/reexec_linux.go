package reexec

import "syscall"

// DieWithParent makes the kernel end this process, and what it becomes, when the parent
// is gone.
func DieWithParent() {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0, 0)
}

// duplicate makes one descriptor another.
func duplicate(fd, other int) error { return syscall.Dup3(fd, other, 0) }
