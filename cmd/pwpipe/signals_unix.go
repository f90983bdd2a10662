//go:build unix

package main

import (
	"os"
	"syscall"
)

var (
	brokenPipe  = []os.Signal{syscall.SIGPIPE}
	stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
)
