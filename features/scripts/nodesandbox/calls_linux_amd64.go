package nodesandbox

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_X86_64
	// foreignCalls is the first number of the x32 calls, which belong to the same
	// architecture.
	foreignCalls = 0x40000000
)

// callsHere are this architecture's own calls, and its old forms of others.
var callsHere = []int{
	unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS, unix.SYS_MKDIR, unix.SYS_RMDIR,
	unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_DUP2, unix.SYS_PIPE, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE,
	unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD, unix.SYS_ALARM, unix.SYS_PAUSE,
	unix.SYS_GETPGRP, unix.SYS_TIME, unix.SYS_ARCH_PRCTL,
}

func rulesHere() []rule {
	return []rule{{unix.SYS_OPEN, opening(1), unix.EPERM}}
}
