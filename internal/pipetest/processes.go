package pipetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Descendants are the processes below a process: pid to command line. It leaves out a
// new process of the browser that still has the browser's own command line.
func Descendants(t testing.TB, pid int) map[int]string {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc")
	}
	parents := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, _ := os.ReadFile(file)
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if len(fields) > 1 && fields[0] != "Z" {
			parents[child], _ = strconv.Atoi(fields[1])
		}
	}
	list := map[int]string{}
	for child := range parents {
		for p := parents[child]; p > 1; p = parents[p] {
			if p == pid {
				cmd, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
				list[child] = strings.ReplaceAll(string(cmd), "\x00", " ")
				break
			}
		}
	}
	for child, cmd := range list {
		if strings.Contains(cmd, "--remote-debugging-pipe") && list[parents[child]] == cmd {
			delete(list, child)
		}
	}
	return list
}

// PSS is the memory of a process in MiB, with its share of shared memory; 0 if the
// system does not report it.
func PSS(pid int) (mib float64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Pss:" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib / 1024
		}
	}
	return 0
}

// Processes returns the descendants whose command line contains with and, unless "",
// not without. There is at least one.
func Processes(t testing.TB, pid int, with, without string) []int {
	t.Helper()
	var list []int
	all := Descendants(t, pid)
	for child, cmd := range all {
		if strings.Contains(cmd, with) && (without == "" || !strings.Contains(cmd, without)) {
			list = append(list, child)
		}
	}
	if len(list) == 0 {
		t.Fatalf("no process with %q among %v", with, all)
	}
	return list
}

// Browser is the browser's main process, which has no --type.
func (p *Pipe) Browser() int {
	return Processes(p.T, p.Cmd.Process.Pid, "--remote-debugging-pipe", "--type=")[0]
}
