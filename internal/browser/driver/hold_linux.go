package driver

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// waitExit waits for our child to end and leaves it to playwright-go to reap.
func waitExit(pid int) {
	for pid > 0 {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return // ended, or reaped already
		}
	}
}

// hasEnded asks whether our child has ended: on a busy machine a waiting goroutine
// learns of it later.
func hasEnded(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err == unix.ECHILD || err == nil && info.Signo != 0
}

// descendants lists the processes below pid.
func descendants(pid int) []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc") // a Glob would read every folder below, too
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state ppid: the name may contain anything, so count from its end.
		rest := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(rest) < 2 {
			continue
		}
		parent, _ := strconv.Atoi(string(rest[1]))
		children[parent] = append(children[parent], child)
	}
	list := children[pid]
	for i := 0; i < len(list); i++ {
		list = append(list, children[list[i]]...)
	}
	return list
}
