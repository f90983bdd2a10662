package cell

import (
	"fmt"
	"time"
)

// Bounds of a cell that are watched.
const (
	maxThreads     = 128
	scratchBytes   = 256 << 20
	scratchEntries = 10_000
)

// How often a cell is looked at: often while it does something, seldom while it
// waits. Nothing grows where nothing runs. A look takes some 20 microseconds.
const (
	often  = 50 * time.Millisecond
	seldom = time.Second
)

// watch ends a cell that passes a bound.
func (c *Cell) watch() {
	var busy time.Duration // the processor time that it had used
	pause := often
	for {
		select {
		case <-c.done:
			return
		case <-time.After(pause):
		}
		began := time.Now()
		now, err := c.look()
		if err != nil {
			c.end(err)
			return
		}
		// What the watch itself takes is a hundredth.
		pause = max(min(2*pause, seldom), 100*time.Since(began))
		if now != busy {
			busy, pause = now, max(often, 100*time.Since(began))
		}
	}
}

// end kills the cell for a bound, which is told.
func (c *Cell) end(over error) {
	c.mu.Lock()
	if c.ended {
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

// memoryError is that a cell held too much.
type memoryError struct{ held, bound int64 }

func (e *memoryError) Error() string {
	return fmt.Sprintf("cell: it held %d MiB, more than the %d MiB that it may", e.held>>20, e.bound>>20)
}
