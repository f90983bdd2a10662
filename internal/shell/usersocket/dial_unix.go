//go:build unix

package usersocket

import (
	"io"

	"pwpipe/internal/shell/thin"
)

// Dial connects to a program that listens. Both sides may speak at once.
func Dial(at thin.Place) (io.ReadWriteCloser, error) { return at.Dial() }
