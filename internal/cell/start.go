package cell

import (
	"os/exec"
)

func (c *Cell) start() error {
	c.cmd = exec.Command(c.o.Node, c.o.Args...)
	c.cmd.Env = environment(c.o)
	c.cmd.Dir = c.o.Scratch
	c.cmd.ExtraFiles = c.o.Files
	c.cmd.WaitDelay = lastWords
	if c.o.Stderr != nil {
		w := writer{c.o.Stderr}
		c.cmd.Stdout, c.cmd.Stderr = w, w
	}
	return c.cmd.Start()
}

// environment is all that the process gets.
func environment(o Options) []string {
	return []string{"HOME=" + o.Scratch, "TMPDIR=" + o.Scratch, "TEMP=" + o.Scratch, "TMP=" + o.Scratch}
}
