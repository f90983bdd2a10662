package nodesandbox

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// look reports the processor time that the cell has used, and the bound that it has
// exceeded, if any.
func (c *Cell) look() (time.Duration, error) {
	stat, err := os.ReadFile(c.proc("stat"))
	if err != nil {
		return 0, nil // gone
	}
	// pid (name) state ppid ...: the name may contain anything, so count from its end.
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(f) < 22 {
		return 0, nil
	}
	field := func(n int) int64 { // as proc_pid_stat(5) counts, from 1
		v, _ := strconv.ParseInt(string(f[n-3]), 10, 64)
		return v
	}
	if n := field(20); n > maxThreads {
		return 0, fmt.Errorf("cell: it had %d threads, more than %d", n, maxThreads)
	}
	// Resident memory includes all shared memory. So it is an upper bound of the cell's
	// share, which the kernel takes long to compute.
	resident := field(24) * int64(os.Getpagesize())
	if which, over := c.o.Group.resident(c, resident); which != nil {
		which.end(over)
	}
	if resident > c.o.Memory {
		if held := c.PSS(); held > c.o.Memory {
			return 0, &memoryError{held: held, bound: c.o.Memory}
		}
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Linux runs
	return time.Duration(field(14)+field(15)) * tick, nil
}

func (c *Cell) proc(name string) string { return filepath.Join("/proc", strconv.Itoa(c.PID()), name) }

// lookAtFiles adds up the files in the scratch folder, and deleted ones that are still
// open. The walk ends when the bound is exceeded.
func (c *Cell) lookAtFiles() error {
	var size int64
	n := 0
	over := func() error {
		if size > scratchBytes || n > scratchEntries {
			return fmt.Errorf("cell: its files took %d MiB in %d entries or more; it may have %d MiB, %d", size>>20, n, scratchBytes>>20, scratchEntries)
		}
		return nil
	}
	if err := filepath.WalkDir(c.o.Scratch, func(path string, d fs.DirEntry, err error) error {
		if strings.Count(path[len(c.o.Scratch):], "/") > scratchDepth {
			return fmt.Errorf("cell: it has more than %d folders within each other", scratchDepth)
		}
		if n++; err != nil || d.IsDir() {
			return over() // the process goes on meanwhile
		}
		if info, err := d.Info(); err == nil {
			size += space(info)
		}
		return over()
	}); err != nil {
		return err
	}
	open, _ := os.ReadDir(c.proc("fd"))
	for _, fd := range open {
		info, err := os.Stat(c.proc("fd/" + fd.Name()))
		if err != nil || !info.Mode().IsRegular() || info.Sys().(*syscall.Stat_t).Nlink > 0 {
			continue
		}
		size += space(info)
		if err := over(); err != nil {
			return err
		}
	}
	maps, _ := os.ReadFile(c.proc("maps"))
	if n := strings.Count(string(maps), c.o.Scratch+"/"); n > 0 {
		return fmt.Errorf("cell: it has mapped %d of its files", n) // with them closed and removed nobody would see their size
	}
	return nil
}

func space(info fs.FileInfo) int64 {
	st, _ := info.Sys().(*syscall.Stat_t)
	return max(st.Blocks*512, 0)
}

// aborted reports whether the process ended as V8 does without memory.
func (c *Cell) aborted() bool {
	status, _ := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	s := status.Signal()
	return status.Signaled() && (s == unix.SIGABRT || s == unix.SIGTRAP || s == unix.SIGILL) && c.most() > c.o.Memory*3/4
}

func (c *Cell) most() int64 {
	usage, _ := c.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if usage == nil {
		return 0
	}
	return usage.Maxrss << 10
}
