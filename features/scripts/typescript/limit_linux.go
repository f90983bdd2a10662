package typescript

import "golang.org/x/sys/unix"

// limit bounds what this process takes: memory, and time of a processor.
func limit() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory})
	seconds := uint64(clock.Seconds())
	_ = unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds})
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 10)
}
