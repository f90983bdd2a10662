package nodesandbox

import (
	"bytes"
	"os"
	"strconv"
)

// PSS is how many bytes the process holds, its share of what it shares with
// others included, and what is swapped out; 0 when it is gone.
func (c *Cell) PSS() int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(c.PID()) + "/smaps_rollup")
	return kilobytes(text, "Pss:") + kilobytes(text, "SwapPss:")
}

// kilobytes is a line of a file as /proc has them, in bytes; 0 where it is not.
func kilobytes(text []byte, name string) int64 {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == name {
			n, _ := strconv.ParseInt(string(f[1]), 10, 64)
			return n << 10
		}
	}
	return 0
}
