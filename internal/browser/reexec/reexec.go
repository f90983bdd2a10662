// Package reexec turns our own binary into another program (Node, a stand-in for the
// browser) before the rest of it is initialised: see package early.
package reexec

import (
	"errors"
	"runtime"
)

var ran bool

// Run becomes another program, where the environment asks for one.
func Run() {
	ran = true
	runtime.LockOSThread() // that the process ends with its parent holds for this thread
	defer runtime.UnlockOSThread()
	become()
}

// Ready fails in a program that does not call [Run]: started again it would not become
// another program, and do its own work once more.
func Ready() error {
	if !ran {
		return errors.New("this program can't start itself as another: it does not call reexec.Run")
	}
	return nil
}

// What our own binary finds in its environment. [Separator] separates list items,
// because values may contain any other character.
const (
	Node    = "PWPIPE_DRIVER_NODE"    // path of node: become the driver
	Version = "PWPIPE_DRIVER_VERSION" // of the driver, as it is asked for by its caller
	PIDFile = "PWPIPE_DRIVER_PID"     // file that gets the process id
	Env     = "PWPIPE_DRIVER_ENV"     // all of its environment
	Start   = "PWPIPE_DRIVER_START"   // arguments before the caller's

	Socket = "PWPIPE_STAND_IN"       // path of a socket: stand in for a browser
	Token  = "PWPIPE_STAND_IN_TOKEN" // what to show there

	Separator = "\x1f"
)
