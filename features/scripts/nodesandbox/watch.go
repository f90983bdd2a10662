package nodesandbox

import (
	"fmt"
	"time"
)

// Bounds of a cell that are watched.
const (
	maxThreads     = 128
	scratchBytes   = 256 << 20
	scratchEntries = 2000
	scratchDepth   = 64
)

// How often a cell is checked: often while it is busy, seldom while it waits, since
// nothing grows then. A check takes some 10 microseconds. A check of its files takes
// longer, and gets a hundredth of the time.
const (
	often  = 50 * time.Millisecond
	seldom = time.Second
)

func (c *Cell) watch() {
	defer c.o.Group.leave(c)
	var busy time.Duration // the processor time that it had used
	var files time.Time    // time of the next check of its files
	for pause := often; ; {
		select {
		case <-c.done:
			return
		case <-time.After(pause):
		}
		now, err := c.look()
		if began := time.Now(); err == nil && began.After(files) {
			err = c.lookAtFiles()
			files = time.Now().Add(min(100*time.Since(began), seldom))
		}
		if err != nil {
			c.end(err)
			return
		}
		if pause = min(2*pause, seldom); now != busy {
			busy, pause = now, often
		}
	}
}

// end kills the cell for a bound, and reports it.
func (c *Cell) end(over error) {
	c.mu.Lock()
	if c.ended || c.over != nil {
		c.mu.Unlock()
		return
	}
	c.over = over
	_ = c.cmd.Process.Kill()
	c.mu.Unlock()
	if m, ok := over.(*memoryError); ok {
		c.tellOver(m.held)
	}
}

func (c *Cell) tellOver(held int64) {
	if c.o.Over != nil {
		c.o.Over(held)
	}
}

type memoryError struct {
	held, bound int64
	all         bool // the bound is that of a group
}

func (e *memoryError) Error() string {
	if e.all {
		return fmt.Sprintf("cell: it held %d MiB, most of those that held more than the %d MiB that they may together", e.held>>20, e.bound>>20)
	}
	return fmt.Sprintf("cell: it held %d MiB, more than the %d MiB that it may", e.held>>20, e.bound>>20)
}
