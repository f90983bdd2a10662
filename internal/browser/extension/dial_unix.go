//go:build unix

package extension

import (
	"io"

	"pwpipe/internal/shell/thin"
)

// dial connects to a pwpipe that waits.
func dial(at thin.Place) (io.ReadWriteCloser, error) { return at.Dial() }
