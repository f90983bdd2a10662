package nodesandbox

import (
	"bytes"
	"os"
	"strconv"
)

// PSS is the bytes that the process holds, with its share of shared memory, and what is
// swapped out; 0 when it is gone.
func (c *Cell) PSS() int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(c.PID()) + "/smaps_rollup")
	return kilobytes(text, "Pss:") + kilobytes(text, "SwapPss:")
}

// kilobytes is a line of a /proc file, in bytes; 0 if it is missing.
func kilobytes(text []byte, name string) int64 {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == name {
			n, _ := strconv.ParseInt(string(f[1]), 10, 64)
			return n << 10
		}
	}
	return 0
}
