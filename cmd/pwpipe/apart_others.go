//go:build unix && !linux

package main

import "errors"

// closeOthers is of Linux.
func closeOthers() error { return errors.ErrUnsupported }
