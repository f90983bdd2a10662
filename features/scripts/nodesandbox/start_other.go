//go:build !linux

package nodesandbox

import (
	"fmt"
	"os/exec"
)

// start starts Node, behind the platform's walls and Node's own permission model.
func (c *Cell) start() error {
	program, args := confined(c.o, append(permissionFlags(c.o), c.args()...))
	c.cmd = exec.Command(program, args...)
	c.cmd.Env = environment(c.o)
	c.cmd.Dir = c.o.Scratch
	c.cmd.ExtraFiles = c.o.Files
	c.cmd.WaitDelay = lastWords
	if c.o.Stderr != nil {
		w := writer{c.o.Stderr}
		c.cmd.Stdout, c.cmd.Stderr = w, w
	}
	if err := c.cmd.Start(); err != nil {
		return fmt.Errorf("cell: %w", err)
	}
	c.tie()
	return nil
}

// Only memory is bounded.
func (c *Cell) lookAtFiles() error { return nil }
func (c *Cell) aborted() bool      { return false }
func (c *Cell) most() int64        { return 0 }
