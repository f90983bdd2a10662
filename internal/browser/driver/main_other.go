//go:build !unix

package driver

// programFor is what playwright-go is told to start: here, Node.
func programFor(node string) string { return node }

func (d *Driver) hold(o Options, started chan<- error) {
	started <- d.run(o)
	<-d.gone
}

// killTree can't name the process here: the driver ends when its stdin closes.
func killTree(int) {}
