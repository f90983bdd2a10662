//go:build !linux

package typescript

// limit: the clock alone ends the process here.
func limit() {}
