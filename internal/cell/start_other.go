//go:build !linux

package cell

import "os/exec"

// start starts Node.
func (c *Cell) start() error {
	c.cmd = exec.Command(c.o.Node, c.args()...)
	c.cmd.Env = environment(c.o)
	c.cmd.Dir = c.o.Scratch
	c.cmd.ExtraFiles = c.o.Files
	c.cmd.WaitDelay = lastWords
	if c.o.Stderr != nil {
		w := writer{c.o.Stderr}
		c.cmd.Stdout, c.cmd.Stderr = w, w
	}
	if err := c.cmd.Start(); err != nil {
		return err
	}
	return nil
}
