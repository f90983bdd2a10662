//go:build linux && (amd64 || arm64)

package nodesandbox

import "golang.org/x/sys/unix"

// calls are allowed with any arguments. On purpose the list leaves out calls that open,
// connect or bind sockets, or pass descriptors; that start processes or reach others;
// rights, owners and times of files, which Landlock does not protect; links; truncation
// by a path, which old Landlocks don't protect; nameless files, and watches on files;
// other namespaces, mounts, keys, kernel programs, io_uring.
var calls = []int{
	// memory
	unix.SYS_BRK, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_MSYNC,
	unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, unix.SYS_MEMBARRIER, unix.SYS_MSEAL,
	// files
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64,
	unix.SYS_PREADV, unix.SYS_PWRITEV, unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE,
	unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2,
	unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_MKDIRAT,
	unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC,
	unix.SYS_FDATASYNC, unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE, unix.SYS_FADVISE64, unix.SYS_STATFS, unix.SYS_FSTATFS,
	unix.SYS_UMASK,
	// waiting and waking
	unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2,
	unix.SYS_EVENTFD2, unix.SYS_PIPE2, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
	unix.SYS_FUTEX, unix.SYS_FUTEX_WAITV, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_WAIT, unix.SYS_FUTEX_REQUEUE,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_SETITIMER, unix.SYS_GETITIMER, unix.SYS_RESTART_SYSCALL,
	// checks of given descriptors that are sockets, and the end of writing to them
	unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SHUTDOWN,
	// its own threads and signals
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND,
	unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_SIGALTSTACK, unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER,
	unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_GETPRIORITY,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
	// identity and time
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETUID, unix.SYS_GETEUID,
	unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS, unix.SYS_CAPGET,
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETRUSAGE, unix.SYS_GETRLIMIT,
	unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETCPU, unix.SYS_GETRANDOM,
}

// Constants without names in x/sys.
const (
	noTempFile   = 0x400000 // __O_TMPFILE
	setVMA       = 0x53564d41
	cloneSignal  = 0xff
	fGetPipeSize = 1032
	fOFDGetLock  = 36
	emptyPath    = 0x1000
	fioNCLEX     = 0x5450
	fioCLEX      = 0x5451
	fioNBIO      = 0x5421
	fioNREAD     = 0x541b
)

// noClone are flags of clone that no thread needs.
const noClone = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWCGROUP | unix.CLONE_PTRACE | unix.CLONE_VFORK | unix.CLONE_PARENT | unix.CLONE_UNTRACED | unix.CLONE_PIDFD | unix.CLONE_IO | cloneSignal

// aThread are the flags of every thread.
const aThread = unix.CLONE_VM | unix.CLONE_SIGHAND | unix.CLONE_THREAD

// rules are the calls that are allowed with some arguments only. pid is the process in
// its own view, becomes the descriptor by which it is executed. alone: there are no
// other processes that it could name.
func rules(pid, becomes uint32, alone bool) []rule {
	list := []rule{
		// Node is executed by a descriptor number that no other file can get.
		{unix.SYS_EXECVEAT, [][]test{append(is(0, becomes), is(4, emptyPath)...)}, unix.EPERM},
		{unix.SYS_CLONE, [][]test{{{arg: 0, mask: aThread | noClone, value: aThread}}}, unix.EPERM},
		// RLIMIT_DATA does not count shared memory.
		{unix.SYS_MMAP, [][]test{
			{{arg: 3, mask: unix.MAP_ANONYMOUS}},
			{{arg: 3, mask: unix.MAP_ANONYMOUS | unix.MAP_HUGETLB | unix.MAP_TYPE, value: unix.MAP_ANONYMOUS | unix.MAP_PRIVATE}},
		}, unix.EPERM},
		{unix.SYS_OPENAT, opening(2), unix.EPERM},
		{unix.SYS_FCNTL, oneOf(1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
			unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, fOFDGetLock, fOFDGetLock+1, fOFDGetLock+2, fGetPipeSize), unix.EPERM},
		{unix.SYS_IOCTL, oneOf(1, unix.TCGETS, unix.TIOCGWINSZ, fioNBIO, fioCLEX, fioNCLEX, fioNREAD), unix.ENOTTY},
		{unix.SYS_PRCTL, oneOf(0, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_GET_DUMPABLE, unix.PR_CAPBSET_READ,
			unix.PR_GET_NO_NEW_PRIVS, unix.PR_GET_SECCOMP, unix.PR_GET_TIMERSLACK, setVMA), unix.EPERM},
		// It may read its own limits.
		{unix.SYS_PRLIMIT64, [][]test{{is(0, 0)[0], is(2, 0)[0], {arg: 2, mask: ^uint32(0), high: true}}}, unix.EPERM},
		{unix.SYS_TGKILL, oneOf(0, pid), unix.EPERM},
		{unix.SYS_KILL, oneOf(0, pid), unix.EPERM},
		{unix.SYS_SETPRIORITY, [][]test{append(is(0, unix.PRIO_PROCESS), is(1, 0)...)}, unix.EPERM},
		{unix.SYS_SCHED_SETAFFINITY, oneOf(0, 0), unix.EPERM},
	}
	if alone { // musl's raise
		list = append(list, rule{unix.SYS_TKILL, [][]test{nil}, unix.EPERM})
	}
	return append(list, rulesHere()...)
}

// opening are the allowed ways to open a file: not as a nameless file, and not
// truncated where it is only read.
func opening(arg int) (cases [][]test) {
	for _, way := range []uint32{unix.O_RDONLY, unix.O_WRONLY, unix.O_RDWR, unix.O_WRONLY | unix.O_TRUNC, unix.O_RDWR | unix.O_TRUNC} {
		cases = append(cases, []test{{arg: arg, mask: noTempFile | unix.O_ACCMODE | unix.O_TRUNC, value: way}})
	}
	return cases
}
