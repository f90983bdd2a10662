//go:build unix && !linux

package program

import "errors"

// closeOthers is of Linux.
func closeOthers() error { return errors.ErrUnsupported }
