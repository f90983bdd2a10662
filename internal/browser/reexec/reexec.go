// Package reexec turns our own binary into another program (Node, or a stand-in for the
// browser) before the rest of it is initialised.
//
// Its init function and that of internal/shell/thin, for the same reason, are the only ones
// of the project. Packages are initialised in the order of their import paths as soon as all
// that they import is (the Go specification, "Program initialization"). This one imports
// little, so it comes before nearly all others. Two things need that:
//
//   - A process that becomes another program does not wait for the rest of ours to be
//     initialised. That would take six milliseconds, three times in every start.
//   - A malformed MCPGODEBUG is gone before the MCP SDK sees it: its package would
//     panic as it is initialised.
//
// So nothing here may import fmt, strings or strconv.
package reexec

func init() {
	mendEnvironment()
	become()
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
