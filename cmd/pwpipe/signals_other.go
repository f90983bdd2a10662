//go:build !unix

package main

import "os"

// Without SIGPIPE a write to a closed pipe fails as it should. A signal must
// be named all the same, for signal.Notify takes none as all.
var (
	brokenPipe  = []os.Signal{os.Interrupt}
	stopSignals = []os.Signal{os.Interrupt}
)
