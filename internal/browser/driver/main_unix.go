//go:build unix

package driver

import "pwpipe/internal/machine/self"

// programFor is the program that playwright-go starts: our own binary, which becomes
// Node (see package reexec).
func programFor(node string) string {
	program, err := self.Program()
	if err != nil {
		return node
	}
	return program
}
