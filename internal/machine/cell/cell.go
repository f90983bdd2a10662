// Package cell makes a process of our own binary the sandboxed process that runs a session's
// scripts, before the rest of the binary is initialised: see package early. Package nodesandbox
// decides what the walls are; this package puts them up, from inside.
package cell

import (
	"errors"
	"runtime"

	"pwpipe/internal/browser/reexec"
)

var ran bool

// Run enters the cell that the environment asks for. Without one it is [reexec.Run].
func Run() {
	ran = true
	runtime.LockOSThread() // the walls are around the thread that executes the other program
	defer runtime.UnlockOSThread()
	enterIfAsked()
	reexec.Run()
}

// Ready fails in a program that does not call [Run]: started again it would not enter the cell, and
// do its own work once more.
func Ready() error {
	if !ran {
		return errors.New("this program can't start itself as another: it does not call cell.Run")
	}
	return nil
}
