//go:build !unix

package driver

// programFor is the program that playwright-go starts: here, Node.
func programFor(node string) (string, error) { return node, nil }

func (d *Driver) hold(o Options, started chan<- error) {
	started <- d.run(o)
	<-d.gone
}

// killTree can't name the process here: the driver ends when its stdin closes.
func killTree(int) {}
