// Package reexec turns our own binary into another program (Node, or a stand-in for the
// browser) before the rest of it is initialised.
//
// It does so before anything else begins. Go initialises packages in the order of their
// import paths as soon as their imports are initialised (Go specification, "Program
// initialization"), and this package imports little. So the seven milliseconds for
// initialising the rest of the program are not spent three times in every start.
package reexec

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
