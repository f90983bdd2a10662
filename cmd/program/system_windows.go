package program

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// pollable has nothing to gain here.
func pollable(f *os.File) (in io.Reader, restore func()) { return f, func() {} }

// watchReader is left to the next write here.
func watchReader(f *os.File, gone func()) {}

// Without SIGPIPE a write to a closed pipe fails as it should. A signal must
// be named all the same, for signal.Notify takes none as all.
var (
	brokenPipe  = []os.Signal{os.Interrupt}
	stopSignals = []os.Signal{os.Interrupt}
)

// apart keeps a service away from the terminal of the command that started it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// keepNothing: a program gets no handles here that it is not given.
func keepNothing() {}
