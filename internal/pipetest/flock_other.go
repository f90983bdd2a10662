//go:build !linux && !darwin && !freebsd

package pipetest

// lock does nothing: if two packages build at once, one of them may fail.
func lock(string) (unlock func(), err error) { return func() {}, nil }
