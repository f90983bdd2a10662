package nodesandbox_test

import (
	"bytes"
	"path/filepath"

	"golang.org/x/sys/unix"
)

func nativeAttempts(w *world) (list []native) {
	for _, part := range [][]native{nativeNetwork(), nativeProcesses(w), nativeFiles(w), nativeSystem()} {
		list = append(list, part...)
	}
	return list
}

func nativeNetwork() (list []native) {
	for name, family := range map[string]int{"IPv4": unix.AF_INET, "IPv6": unix.AF_INET6, "Unix": unix.AF_UNIX, "netlink": unix.AF_NETLINK,
		"packet": unix.AF_PACKET, "vsock": unix.AF_VSOCK, "alg": unix.AF_ALG} {
		for kind, n := range map[string]int{"stream": unix.SOCK_STREAM, "datagram": unix.SOCK_DGRAM, "raw": unix.SOCK_RAW} {
			list = append(list, native{name: "socket " + name + " " + kind, harmless: family == unix.AF_UNIX, do: sys(unix.SYS_SOCKET, family, n, 0)})
		}
	}
	buf := make([]byte, 256)
	address := append([]byte{unix.AF_UNIX, 0, 0}, "pwpipe"...)
	return append(list,
		native{"socketpair", true, sys(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM, 0, buf)},
		native{"bind what was given", false, sys(unix.SYS_BIND, 3, address, len(address))},
		native{"connect what was given", false, sys(unix.SYS_CONNECT, 3, address, len(address))},
		native{"listen on what was given", false, sys(unix.SYS_LISTEN, 3, 1)},
		native{"accept", false, sys(unix.SYS_ACCEPT4, 3, 0, 0, 0)},
		native{"sendto", true, sys(unix.SYS_SENDTO, 3, buf, 1, unix.MSG_NOSIGNAL, 0, 0)},
		native{"sendmsg", true, sys(unix.SYS_SENDMSG, 3, make([]byte, 64), unix.MSG_NOSIGNAL)},
		native{"recvmsg", false, sys(unix.SYS_RECVMSG, 3, make([]byte, 64), unix.MSG_DONTWAIT)},
		native{"setsockopt", true, sys(unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_SNDBUF, buf, 4)},
	)
}

func nativeProcesses(w *world) []native {
	mask := bytes.Repeat([]byte{0xff}, 128)
	vec := make([]byte, 16)
	return []native{
		{"execve", false, sys(unix.SYS_EXECVE, "/bin/true", 0, 0)},
		{"execve of itself", false, sys(unix.SYS_EXECVE, "/proc/self/exe", 0, 0)},
		{"execveat", false, func() unix.Errno {
			fd, err := unix.Open(w.Readable, unix.O_RDONLY, 0)
			if err != nil {
				return err.(unix.Errno)
			}
			return sys(unix.SYS_EXECVEAT, fd, "", 0, 0, unix.AT_EMPTY_PATH)()
		}},
		{"the number that is executed", false, func() unix.Errno { // 256, see maxOpenFiles
			if err := unix.Dup3(1, 256, 0); err != nil && err != unix.EBADF {
				return err.(unix.Errno)
			}
			if e := sys(unix.SYS_EXECVEAT, 256, "", 0, 0, unix.AT_EMPTY_PATH)(); e != unix.EBADF {
				return e
			}
			return unix.EPERM // the call is allowed, but the descriptor does not exist
		}},
		{"a higher limit of descriptors", false, func() unix.Errno {
			return sys(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE, mask[:16], 0)()
		}},
		{"setrlimit", true, func() unix.Errno {
			limit := make([]byte, 16)
			if e := sys(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_DATA, 0, limit)(); e != 0 {
				return e
			}
			return sys(unix.SYS_SETRLIMIT, unix.RLIMIT_DATA, limit)()
		}},
		{"fork", true, func() unix.Errno { return fork(unix.SYS_CLONE, uintptr(unix.SIGCHLD)) }},
		{"vfork", true, func() unix.Errno {
			return fork(unix.SYS_CLONE, uintptr(unix.SIGCHLD|unix.CLONE_VFORK))
		}},
		{"clone3", false, sys(unix.SYS_CLONE3, make([]byte, 88), 88)},
		{"a process with our memory", false, func() unix.Errno {
			return fork(unix.SYS_CLONE, uintptr(unix.CLONE_FILES|unix.SIGCHLD))
		}},
		{"kill us", true, sys(unix.SYS_KILL, w.Parent, 0)},
		{"kill a stranger", false, sys(unix.SYS_KILL, w.Victim, int(unix.SIGKILL))},
		{"kill all", false, sys(unix.SYS_KILL, -1, 0)},
		{"tgkill", false, sys(unix.SYS_TGKILL, w.Victim, w.Victim, int(unix.SIGKILL))},
		{"tkill", false, sys(unix.SYS_TKILL, w.Victim, int(unix.SIGKILL))},
		{"rt_sigqueueinfo", false, sys(unix.SYS_RT_SIGQUEUEINFO, w.Victim, int(unix.SIGKILL), make([]byte, 128))},
		{"pidfd_open", true, sys(unix.SYS_PIDFD_OPEN, w.Victim, 0)},
		{"pidfd_send_signal", false, sys(unix.SYS_PIDFD_SEND_SIGNAL, 3, 9, 0, 0)},
		{"pidfd_getfd", false, sys(unix.SYS_PIDFD_GETFD, 3, 0, 0)},
		{"ptrace", false, sys(unix.SYS_PTRACE, unix.PTRACE_ATTACH, w.Victim, 0, 0)},
		{"ptrace me", false, sys(unix.SYS_PTRACE, unix.PTRACE_TRACEME, 0, 0, 0)},
		{"process_vm_readv", false, sys(unix.SYS_PROCESS_VM_READV, w.Victim, vec, 1, vec, 1, 0)},
		{"process_vm_writev", false, sys(unix.SYS_PROCESS_VM_WRITEV, w.Victim, vec, 1, vec, 1, 0)},
		{"process_madvise", false, sys(unix.SYS_PROCESS_MADVISE, 3, vec, 1, 0, 0)},
		{"prlimit of a stranger", true, sys(unix.SYS_PRLIMIT64, w.Stranger, unix.RLIMIT_NOFILE, 0, vec)},
		{"setpriority", true, sys(unix.SYS_SETPRIORITY, unix.PRIO_PROCESS, w.Stranger, 0)},
		{"setpriority of all", false, sys(unix.SYS_SETPRIORITY, unix.PRIO_USER, 0, 19)},
		{"sched_setaffinity", true, sys(unix.SYS_SCHED_SETAFFINITY, w.Stranger, 128, mask)},
		{"sched_setscheduler", false, sys(unix.SYS_SCHED_SETSCHEDULER, w.Stranger, unix.SCHED_BATCH, vec)},
		{"ioprio_set", false, sys(unix.SYS_IOPRIO_SET, 1, w.Stranger, 3<<13)},
		{"get_robust_list", false, sys(unix.SYS_GET_ROBUST_LIST, w.Victim, vec, vec)},
		{"kcmp", false, sys(unix.SYS_KCMP, w.Parent, w.Parent, 0, 0, 1)},
		{"migrate_pages", false, sys(unix.SYS_MIGRATE_PAGES, w.Victim, 0, 0, 0)},
		{"live on after us", true, sys(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 0)},
		{"dumpable", true, sys(unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)},
		{"a subreaper", true, sys(unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 0)},
		{"setuid", true, sys(unix.SYS_SETUID, w.UID)},
		{"setresuid", true, sys(unix.SYS_SETRESUID, w.UID, w.UID, w.UID)},
		{"setgroups", false, sys(unix.SYS_SETGROUPS, 0, 0)},
		{"capset", false, sys(unix.SYS_CAPSET, vec, vec)},
		{"setsid", false, sys(unix.SYS_SETSID)},
		{"setpgid", false, sys(unix.SYS_SETPGID, 0, 0)},
	}
}

// fork makes a process, which ends at once.
func fork(call, flags uintptr) unix.Errno {
	pid, _, e := unix.RawSyscall6(call, flags, 0, 0, 0, 0, 0)
	if e == 0 && pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	if e == 0 {
		var status unix.WaitStatus
		_, _ = unix.Wait4(int(pid), &status, unix.WALL, nil)
	}
	return e
}

func nativeFiles(w *world) []native {
	const here = unix.AT_FDCWD
	at := func(name string) string { return filepath.Join(w.Scratch, name) }
	times := make([]byte, 32)
	return []native{
		{"open a secret", true, sys(unix.SYS_OPENAT, here, w.Secret, unix.O_RDONLY, 0)},
		{"openat2", true, sys(unix.SYS_OPENAT2, here, w.Readable, make([]byte, 24), 24)},
		{"a file without a name", true, sys(unix.SYS_OPENAT, here, w.Scratch, unix.O_TMPFILE|unix.O_RDWR, 0o600)},
		{"write what may be read", true, sys(unix.SYS_OPENAT, here, w.Readable, unix.O_RDWR, 0)},
		{"cut what may be read", false, sys(unix.SYS_OPENAT, here, w.Readable, unix.O_RDONLY|unix.O_TRUNC, 0)},
		{"truncate", false, sys(unix.SYS_TRUNCATE, w.Readable, 0)},
		{"fchmodat", true, sys(unix.SYS_FCHMODAT, here, w.Readable, 0o644)},
		{"fchmodat2", false, sys(unix.SYS_FCHMODAT2, here, w.Readable, 0o777, 0)},
		{"fchmod", true, func() unix.Errno {
			fd, err := unix.Open(w.Readable, unix.O_RDONLY, 0)
			if err != nil {
				return err.(unix.Errno)
			}
			return sys(unix.SYS_FCHMOD, fd, 0o644)()
		}},
		{"fchownat", true, sys(unix.SYS_FCHOWNAT, here, w.Readable, -1, -1, 0)},
		{"utimensat", false, sys(unix.SYS_UTIMENSAT, here, w.Readable, times, 0)},
		{"setxattr", false, sys(unix.SYS_SETXATTR, w.Readable, "user.x", "x", 1, 0)},
		{"removexattr", false, sys(unix.SYS_REMOVEXATTR, w.Readable, "user.x")},
		{"flock", true, func() unix.Errno {
			fd, err := unix.Open(w.Readable, unix.O_RDONLY, 0)
			if err != nil {
				return err.(unix.Errno)
			}
			return sys(unix.SYS_FLOCK, fd, unix.LOCK_EX|unix.LOCK_NB)()
		}},
		{"symlinkat", true, sys(unix.SYS_SYMLINKAT, w.Secret, here, at("soft2"))},
		{"linkat", true, sys(unix.SYS_LINKAT, here, w.Library, here, at("hard2"), 0)},
		{"a pipe with a name", true, sys(unix.SYS_MKNODAT, here, at("pipe"), unix.S_IFIFO|0o600, 0)},
		{"a device", false, sys(unix.SYS_MKNODAT, here, at("device"), unix.S_IFBLK|0o600, 0x801)},
		{"inotify", true, sys(unix.SYS_INOTIFY_INIT1, 0)},
		{"fanotify", false, sys(unix.SYS_FANOTIFY_INIT, 0, 0)},
		{"name_to_handle_at", false, sys(unix.SYS_NAME_TO_HANDLE_AT, here, w.Secret, make([]byte, 144), make([]byte, 8), 0)},
		{"open_by_handle_at", false, sys(unix.SYS_OPEN_BY_HANDLE_AT, here, make([]byte, 144), 0)},
		{"notices of changes", false, sys(unix.SYS_FCNTL, 1, unix.F_NOTIFY, 2)},
		{"signals of a descriptor", true, sys(unix.SYS_FCNTL, 3, unix.F_SETOWN, w.Parent)},
		{"a large pipe", true, func() unix.Errno {
			var p [2]int
			if err := unix.Pipe2(p[:], 0); err != nil {
				return err.(unix.Errno)
			}
			return sys(unix.SYS_FCNTL, p[0], unix.F_SETPIPE_SZ, 1<<20)()
		}},
		{"type on a terminal", false, sys(unix.SYS_IOCTL, 0, unix.TIOCSTI, "x")},
		{"flags of a file", false, sys(unix.SYS_IOCTL, 3, unix.FS_IOC_SETFLAGS, make([]byte, 8))},
		{"chroot", false, sys(unix.SYS_CHROOT, "/")},
		{"pivot_root", false, sys(unix.SYS_PIVOT_ROOT, "/", "/")},
		{"splice", false, sys(unix.SYS_SPLICE, 0, 0, 1, 0, 0, 0)},
		{"vmsplice", false, sys(unix.SYS_VMSPLICE, 1, times, 0, 0)},
		{"memory as a file", true, sys(unix.SYS_MEMFD_CREATE, "x", 0)},
		{"secret memory", false, sys(unix.SYS_MEMFD_SECRET, 0)},
		{"shared memory", true, sys(unix.SYS_SHMGET, 0, 4096, unix.IPC_CREAT|0o600)},
		{"message queue", false, sys(unix.SYS_MSGGET, 0, unix.IPC_CREAT|0o600)},
		{"semaphores", false, sys(unix.SYS_SEMGET, 0, 1, unix.IPC_CREAT|0o600)},
		{"POSIX message queue", false, sys(unix.SYS_MQ_OPEN, "x", unix.O_CREAT|unix.O_RDWR, 0o600, 0)},
		{"memory that is shared", true, sys(unix.SYS_MMAP, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS, -1, 0)},
		{"huge pages", false, sys(unix.SYS_MMAP, 0, 2<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_HUGETLB, -1, 0)},
		{"memory that is locked", false, sys(unix.SYS_MLOCKALL, unix.MCL_FUTURE)},
	}
}

func nativeSystem() (list []native) {
	zero := make([]byte, 256)
	for name, do := range map[string]func() unix.Errno{
		"unshare": sys(unix.SYS_UNSHARE, unix.CLONE_NEWUSER), "setns": sys(unix.SYS_SETNS, 3, 0),
		"mount": sys(unix.SYS_MOUNT, "none", "/tmp", "tmpfs", 0, 0), "umount": sys(unix.SYS_UMOUNT2, "/nowhere", 0),
		"fsopen": sys(unix.SYS_FSOPEN, "tmpfs", 0), "open_tree": sys(unix.SYS_OPEN_TREE, unix.AT_FDCWD, "/", 0),
		"move_mount": sys(unix.SYS_MOVE_MOUNT, 0, "", 0, "", 0), "mount_setattr": sys(unix.SYS_MOUNT_SETATTR, 0, "", 0, zero, 32),
		"bpf": sys(unix.SYS_BPF, 5, zero, 48), "perf_event_open": sys(unix.SYS_PERF_EVENT_OPEN, zero, 0, -1, -1, 0),
		"io_uring": sys(unix.SYS_IO_URING_SETUP, 8, zero), "userfaultfd": sys(unix.SYS_USERFAULTFD, 1),
		"keyctl": sys(unix.SYS_KEYCTL, 0, -3, 1), "add_key": sys(unix.SYS_ADD_KEY, "user", "x", "x", 1, -3), "request_key": sys(unix.SYS_REQUEST_KEY, "user", "x", 0, -3),
		"personality": sys(unix.SYS_PERSONALITY, 0x0400000), "seccomp": sys(unix.SYS_SECCOMP, 2, 0x10, 0), "landlock": sys(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, 1),
		"init_module": sys(unix.SYS_INIT_MODULE, zero, 0, ""), "finit_module": sys(unix.SYS_FINIT_MODULE, -1, "", 0), "delete_module": sys(unix.SYS_DELETE_MODULE, "nowhere", 0),
		"kexec": sys(unix.SYS_KEXEC_LOAD, 0, 99, 0, 0), "reboot": sys(unix.SYS_REBOOT, 0, 0, 0, 0), "swapon": sys(unix.SYS_SWAPON, "/nowhere", 0),
		"acct": sys(unix.SYS_ACCT, "/nowhere"), "sethostname": sys(unix.SYS_SETHOSTNAME, "", -1), "syslog": sys(unix.SYS_SYSLOG, 10, 0, 0),
		"clock_settime": sys(unix.SYS_CLOCK_SETTIME, 99, zero), "adjtimex": sys(unix.SYS_ADJTIMEX, zero), "quotactl": sys(unix.SYS_QUOTACTL, 0, "", 0, 0),
		"another filter": sys(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, 2, 0), "signalfd": sys(unix.SYS_SIGNALFD4, -1, zero, 8, 0),
		"a call that there is not": sys(1000), "another": sys(463 + 100),
	} {
		list = append(list, native{name: name, do: do})
	}
	return list
}
