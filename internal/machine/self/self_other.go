//go:build !linux

package self

const forked = ""

func running() string { return "" }
