//go:build unix

package driver

import (
	"os"
)

// programFor is what playwright-go is told to start: our own binary, which
// becomes Node (see package hop).
func programFor(node string) string {
	self, err := os.Executable()
	if err != nil {
		return node
	}
	return self
}
