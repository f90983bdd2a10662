//go:build !linux

package setup

// CheckLimits checks nothing here.
func CheckLimits() error { return nil }
