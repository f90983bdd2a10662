package nodesandbox

import (
	"golang.org/x/sys/unix"

	"pwpipe/internal/browser/reexec"
)

// niceness: a busy cell must not slow down whoever drives the browser.
const niceness = 5

const fileSize = 64 << 20 // of one file in the scratch folder

// slack is writable memory that a process may have mapped without using it: the stacks
// of threads, and the 512 MiB that V8 since Node 24 reserves for the code of each of
// its heaps, one for every worker.
const slack = 128<<20 + 3*512<<20

// limits are the limits that the kernel enforces. The process may map more than it may
// hold; its memory is watched, but no single step can take without bound.
func limits(memory int64, files int) []reexec.Limit {
	return []reexec.Limit{
		{Resource: unix.RLIMIT_CORE, Max: 0},
		{Resource: unix.RLIMIT_NOFILE, Max: uint64(files)},
		{Resource: unix.RLIMIT_FSIZE, Max: fileSize},
		{Resource: unix.RLIMIT_DATA, Max: uint64(memory + memory/2 + slack)},
		{Resource: unix.RLIMIT_MEMLOCK, Max: 0},
		{Resource: unix.RLIMIT_MSGQUEUE, Max: 0},
	}
}
