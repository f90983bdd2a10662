//go:build !linux

package lend

import "net"

// processOf is unknown here: what the program says is taken.
func processOf(net.Conn) int { return 0 }
