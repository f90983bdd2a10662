//go:build !unix

package nodesandbox

import "time"

// tie: the process ends when it reads the end of what we gave it, if it reads.
func (c *Cell) tie() {}

// PSS is how many bytes the process holds; 0 where that is not known.
func (c *Cell) PSS() int64 { return 0 }

func (c *Cell) look() (time.Duration, error) { return 0, nil }
