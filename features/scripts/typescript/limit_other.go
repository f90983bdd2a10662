//go:build !linux

package typescript

// limit: patience alone ends the process here.
func limit() {}
