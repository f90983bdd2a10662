//go:build !unix

package reexec

// become: the driver is started in the ordinary way here.
func become() {}
