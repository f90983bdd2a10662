//go:build !linux

package self

func running() string { return "" }
