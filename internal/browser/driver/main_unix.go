//go:build unix

package driver

import (
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/self"
)

// programFor is the program that playwright-go starts: our own binary, which becomes
// Node (see package reexec).
func programFor(node string) (string, error) {
	if err := reexec.Ready(); err != nil {
		return "", err
	}
	program, err := self.Program()
	if err != nil {
		return node, nil
	}
	return program, nil
}
