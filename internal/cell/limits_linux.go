package cell

import (
	"golang.org/x/sys/unix"

	"pwpipe/internal/hop"
)

// niceness: a cell that is busy does not slow down who drives the browser.
const niceness = 5

// Bounds of a cell beside its memory.
const (
	fileSize = 64 << 20 // of one file in the scratch folder
	threads  = 128
)

// slack is what a process may have mapped and not touched: the stacks of threads,
// what V8 has taken and not used yet.
const slack = 128 << 20

// limits are those that the kernel holds it to. What it may map is more than it
// may hold, which is watched: but one step can't take much more.
func limits(memory int64) []hop.Limit {
	return []hop.Limit{
		{Resource: unix.RLIMIT_CORE, Max: 0},
		{Resource: unix.RLIMIT_NOFILE, Max: openFiles},
		{Resource: unix.RLIMIT_FSIZE, Max: fileSize},
		{Resource: unix.RLIMIT_DATA, Max: uint64(memory + memory/2 + slack)},
		{Resource: unix.RLIMIT_MEMLOCK, Max: 0},
		{Resource: unix.RLIMIT_MSGQUEUE, Max: 0},
	}
}
