//go:build unix && !linux

package driver

// dieWithParent: the driver ends when its stdin closes.
func dieWithParent() {}

func waitExit(pid int) { pollExit(pid) }

// descendants: the browser ends when the driver's pipe to it closes.
func descendants(int) []int { return nil }
