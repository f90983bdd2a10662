package nodesandbox

import (
	"golang.org/x/sys/unix"

	"pwpipe/internal/browser/reexec"
)

// niceness: a cell that is busy does not slow down who drives the browser.
const niceness = 5

const fileSize = 64 << 20 // of one file in the scratch folder

// slack is what a process may have mapped to write to, and not touched: the stacks
// of threads, and the 512 MiB that V8 since Node 24 takes for the code of each of
// its heaps, of which there is one for every worker.
const slack = 128<<20 + 3*512<<20

// limits are those that the kernel holds it to. What it may map is more than it
// may hold, which is watched; but no step can take without end.
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
